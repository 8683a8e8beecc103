// Does the repository that people start from do what its page says, from the one file that is applied by hand?
import { expect, it } from "vitest";
import { parse } from "yaml";
import { FLUX_NAMESPACE } from "../../hack/flux/components.js";
import { webIn } from "../gitops/fates.js";
import { freshName } from "../gitops/shop.js";
import { objectsIn } from "../integration/support/site.js";
import { exampleFiles } from "./support/example.js";
import { flux } from "./support/flux.js";
import { inventoryOf } from "./support/kustomization.js";
import { healthCheckExprs } from "./support/page.js";

const open = flux();

it("brings policies, then the shop, and both wait with the health checks of the page", async () => {
  const on = open();
  const name = freshName("fleet");
  const source = await on.source(name);
  const { "root.yaml": root = "", ...files } = await exampleFiles(name);
  const revision = await source.commit(files);
  const kustomization = objectsIn(root).find(({ kind }) => kind === "Kustomization");
  if (!kustomization) throw new Error("root.yaml has no Kustomization");
  const { patches } = kustomization["spec"] as { readonly patches: readonly [{ readonly patch: string }] };
  expect(parse(patches[0].patch)).toMatchObject([{ value: healthCheckExprs() }]);

  on.remember(name, `${name}-policies`, `${name}-shop`);
  await on.host.applyObject(kustomization);
  await on.until(name, "has brought both", ({ lastAppliedRevision }) => lastAppliedRevision === revision);
  const policies = await on.untilWell(`${name}-policies`, revision);
  const shop = await on.untilWell(`${name}-shop`, revision);

  expect(inventoryOf(policies)).toEqual([
    `Namespace ${name}`,
    `OverridePolicy ${name}/web-small`,
    `PropagationPolicy ${name}/shop`,
  ]);
  expect(inventoryOf(shop)).toEqual([
    `ConfigMap ${name}/settings`,
    `CronJob ${name}/report`,
    `Deployment ${name}/web`,
    `Service ${name}/web`,
    `StatefulSet ${name}/db`,
  ]);
  const web = await on.host.find(webIn(name));
  expect(web?.["status"]).toMatchObject({ replicas: 4, availableReplicas: 4 });
  const made = await on.host.find({ kind: "Kustomization", namespace: FLUX_NAMESPACE, name: `${name}-shop` });
  expect(made?.["spec"]).toMatchObject({ healthCheckExprs: healthCheckExprs() });
});
