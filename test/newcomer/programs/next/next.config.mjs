export default { serverExternalPackages: ["docsluice"] }
