/** Both drafts of JSON Schema. A bundler gives a package in CommonJS that is imported when it is needed without its names; a module has them. */
export { Ajv } from "ajv"
export { Ajv2020 } from "ajv/dist/2020.js"
