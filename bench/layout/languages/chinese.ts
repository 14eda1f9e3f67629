import { type Language, lines, list, terms } from "./language.ts"

export const chinese: Language = {
  code: "zh-CN",
  script: "han",
  rtl: false,
  space: "",
  nouns: list(`
    港口 桥梁 市场 花园 档案 书籍 网络 计划 仪器 河流 岛屿 山脉 工厂 问题 标准 文件 总数 界限 样本 电流 部门 建筑 系统 结果 工具 年度 报告 实验
    图表 元素 预算 委员会 地区 温度 压力 仓库 协议 证据 预测 方法 表面 理论 电压 水道 机器 记录 语法`),
  verbs: list(`
    测量 达到 覆盖 描述 限制 连接 解释 改善 保护 减少 收集 比较 调节 提供 检查 包括 观察 记录 分离 改变 证实 超过 替换`),
  adjectives: list(`
    狭窄 公共 早期 北方 可靠 本地 广泛 适度 年度 精确 直接 完整 隐藏 液态 开放 部分 安静 快速 城市 可见 耐用`),
  names: lines(`
    王小明
    李淑芬
    陈建国
    赵雅琴`),
  sentences: lines(`
    {a}的{n}{v}{n}的{n}，虽然{n}并不{v}全部。
    在{0}年，每个{n}至少{v}百分之{0}的{n}。
    根据{N}的看法，{n}在{0}天内{v}了{a}的{n}。
    如果{n}{v}{n}，那么第二个{n}就{v}其余的{n}。
    为什么{n}{v}{n}？答案在于{a}的{n}。
    无论{n}还是{n}，都不{v}{n}所{v}的东西。
    因此，{a}的{n}（见上文的{n}）{v}了它的{n}和{n}。`),
  headings: lines(`
    {n}与{n}
    {a}的{n}
    {n}如何{v}{n}
    {n}
    从{n}到{n}
    关于{n}的{n}`),
  terms: terms("图|表|目录|章节|摘要|注释|页码|合计|日期|编号|姓名|金额|地址|尊敬的|此致敬礼|发票|参考文献")
}
