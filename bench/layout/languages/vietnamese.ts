import { type Language, lines, terms } from "./language.ts"

export const vietnamese: Language = {
  code: "vi",
  script: "latin",
  rtl: false,
  space: " ",
  nouns: lines(`
    bến cảng
    cây cầu
    khu chợ
    vườn
    kho lưu trữ
    quyển sách
    mạng lưới
    kế hoạch
    thiết bị
    dòng sông
    hòn đảo
    ngọn núi
    nhà máy
    câu hỏi
    tiêu chuẩn
    tài liệu
    tổng số
    giới hạn
    mẫu thử
    bộ phận
    tòa nhà
    hệ thống
    kết quả
    công cụ
    báo cáo
    thí nghiệm
    biểu đồ
    yếu tố
    ngân sách
    ủy ban
    khu vực
    nhiệt độ
    áp suất
    năng lượng
    thỏa thuận
    bằng chứng
    phương pháp
    bề mặt
    lý thuyết
    điện áp
    bản ghi
    ngữ pháp`),
  verbs: lines(`
    đo
    đạt tới
    bao phủ
    mô tả
    hạn chế
    kết nối
    giải thích
    cải thiện
    bảo vệ
    giảm bớt
    thu thập
    so sánh
    điều chỉnh
    cung cấp
    kiểm tra
    quan sát
    ghi nhận
    tách rời
    thay đổi
    khẳng định
    vượt quá`),
  adjectives: lines(`
    hẹp
    công cộng
    ban đầu
    phía bắc
    đáng tin cậy
    địa phương
    rộng lớn
    vừa phải
    hằng năm
    chính xác
    trực tiếp
    đầy đủ
    ẩn giấu
    lỏng
    cởi mở
    từng phần
    yên tĩnh
    nhanh chóng
    bền vững`),
  names: lines(`
    Nguyễn Thị Hạnh
    Trần Văn Bằng
    Lê Quỳnh Như
    Đặng Hữu Phước`),
  sentences: lines(`
    Mỗi {n} {a} {v} một {n} khác, mặc dù {n} không {v} tất cả.
    Trong năm {0}, {n} {v} ít nhất {0} phần trăm, còn {n} {v} phần còn lại.
    Theo {N}, {n} {a} {v} {n} trong {0} ngày.
    Nếu {n} {v} {n} thì {n} thứ hai cũng {v} {n}.
    Tại sao {n} {v} {n}? Câu trả lời nằm ở {n} {a}.
    Cả {n} lẫn {n} đều không {v} những gì {n} {v}.
    Vì vậy {n} {a} (xem {n} ở trên) {v} {n} và {n}.`),
  headings: lines(`
    {n} và {n}
    {n} {a}
    Cách {n} {v} {n}
    {n}
    Từ {n} đến {n}
    Về {n} và {n}`),
  terms: terms(
    "Hình|Bảng|Mục lục|Chương|Tóm tắt|Ghi chú|Trang|Tổng cộng|Ngày|Số|Tên|Số tiền|Địa chỉ|Kính gửi|Trân trọng,|Hóa đơn|Tài liệu tham khảo"
  )
}
