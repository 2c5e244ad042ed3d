// Draws the contract of this server. Nothing can be sent from here: a click would be done by whoever is signed in.
if (matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.classList.add("dark-mode");
SwaggerUIBundle({
  url: "/openapi.yaml",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayOperationId: true,
  filter: true,
  supportedSubmitMethods: [],
  syntaxHighlight: false,
  validatorUrl: null,
});
