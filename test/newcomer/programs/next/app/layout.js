import { createElement } from "react"

const Layout = ({ children }) => createElement("html", null, createElement("body", null, children))
export default Layout
