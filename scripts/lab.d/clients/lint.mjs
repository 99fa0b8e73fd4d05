import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

const source = readFileSync(process.argv[2], "utf8");
const config = await createConfig({ extends: ["recommended"] });
const seen = await lintFromString({ source, absoluteRef: "/openapi.json", config });
const linter = new spectral.Spectral();
linter.setRuleset({ extends: [[rulesets.oas, "recommended"]] });
const found = await linter.run(JSON.parse(source));
const errors = [
  ...seen
    .filter(({ severity }) => severity === "error")
    .map(({ ruleId, message }) => `${ruleId}: ${message}`),
  ...found.filter(({ severity }) => severity === 0).map(({ code, message }) => `${code}: ${message}`),
];
process.stdout.write(
  errors.length > 0
    ? errors.join("\n")
    : `no error; warnings: ${seen.length} of Redocly, ${found.length} of Spectral`,
);
process.exitCode = errors.length > 0 ? 1 : 0;
