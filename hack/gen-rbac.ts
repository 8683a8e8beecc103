// Writes charts/holdfast/files/*.yaml (RBAC, webhooks, the hold, people's roles, Pepr's store); `--check` fails when one is out of date.
import { holdFile } from "./chart-files/hold.js";
import { overwriteFile } from "./chart-files/overwrite.js";
import { peprStoreFile } from "./chart-files/pepr-store.js";
import { rbacFile } from "./chart-files/rbac.js";
import { rolesFile } from "./chart-files/roles.js";
import { webhooksFile } from "./chart-files/webhooks.js";
import { isMain, runGenerator, type GeneratedFile } from "./generated-files.js";

/** Everything in the chart that follows from what the code needs. */
export function chartFiles(): GeneratedFile[] {
  return [rbacFile(), webhooksFile(), holdFile(), peprStoreFile(), rolesFile(), overwriteFile()];
}

if (isMain(import.meta.url)) runGenerator("gen-rbac", chartFiles(), process.argv.slice(2));
