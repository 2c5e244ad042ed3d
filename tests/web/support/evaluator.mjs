// Evaluates functions of tests, one a line of the input, as a browser's page does: modules are those of the folder that is named.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(process.argv[2]).href;
for await (const line of createInterface({ input: process.stdin })) {
  const { code, argument } = JSON.parse(line);
  const evaluated = (0, eval)(`load => ${code.replaceAll(/\bimport\(/g, "load(")}`);
  const told = await evaluated(path => import(folder + path))(argument);
  console.log(JSON.stringify(told ?? null));
}
