// Is every template waited for that may not have been looked at?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { templateKey } from "../../lib/kube/templates.js";
import { policyKey } from "./policy.js";
import { firstUnseen } from "./unseen.js";

const WEB = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" };
const ROLE = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", namespace: undefined, name: "reader" };

interface World {
  readonly templates?: readonly string[];
  readonly policies?: readonly string[];
  readonly leaving?: boolean;
  /** Of the kind of `WEB`; `undefined`: nobody watches it. */
  readonly kind?: { readonly synced: boolean; readonly holds: boolean } | undefined;
  readonly bindings?: readonly (typeof WEB | typeof ROLE)[];
}

const LISTED = { synced: true, holds: true };

function unseen(namespace: string | undefined, world: World) {
  const { templates = [], policies = [], leaving = false, kind = LISTED, bindings = [WEB] } = world;
  const isWatched = !("kind" in world && world.kind === undefined);
  const stored = bindings.map(resource => ({ metadata: { namespace: resource.namespace }, spec: { resource } }));
  const store = (isOf: (of: string | undefined) => boolean) => ({
    store: { values: () => stored.filter(({ metadata }) => isOf(metadata.namespace)).values() },
  });
  const policy = { metadata: leaving ? { deletionTimestamp: "now" } : {} };
  const host = {
    bindings: store(of => of !== undefined),
    clusterBindings: store(of => of === undefined),
    policiesLike: () => ({ find: () => policy }),
    templates: {
      of: () => (isWatched ? { store: { synced: kind.synced } } : undefined),
      find: () => (kind.holds ? ({ kind: "Deployment" } as KubeObject) : undefined),
    },
  } as unknown as Parameters<typeof firstUnseen>[0];
  const queueOf = (keys: readonly string[]) => ({ unfinished: () => keys });
  return firstUnseen(host, { templates: queueOf(templates), policies: queueOf(policies) }, namespace);
}

const own = policyKey("PropagationPolicy", { namespace: "shop", name: "pp" });
const others = policyKey("PropagationPolicy", { namespace: "other", name: "pp" });
const wide = policyKey("ClusterPropagationPolicy", { name: "cpp" });

describe("firstUnseen", () => {
  it.each`
    given                                       | namespace    | world                                       | waits
    ${"all of them looked at"}                  | ${"shop"}    | ${{}}                                       | ${undefined}
    ${"a template in the queue"}                | ${"shop"}    | ${{ templates: [templateKey(WEB)] }}        | ${"Deployment shop/web"}
    ${"one of another namespace"}               | ${"other"}   | ${{ templates: [templateKey(WEB)] }}        | ${undefined}
    ${"one of any namespace"}                   | ${undefined} | ${{ templates: [templateKey(WEB)] }}        | ${"Deployment shop/web"}
    ${"a policy that may wake some"}            | ${"shop"}    | ${{ policies: [own] }}                      | ${"PropagationPolicy shop/pp"}
    ${"one of another namespace"}               | ${"shop"}    | ${{ policies: [others] }}                   | ${undefined}
    ${"one of all namespaces"}                  | ${"shop"}    | ${{ policies: [wide] }}                     | ${"ClusterPropagationPolicy cpp"}
    ${"one that is on its way out"}             | ${"shop"}    | ${{ policies: [own], leaving: true }}       | ${undefined}
    ${"a binding whose kind nobody watches"}    | ${"shop"}    | ${{ kind: undefined }}                      | ${"Deployment shop/web"}
    ${"a binding whose kind is not listed yet"} | ${"shop"}    | ${{ kind: { synced: false, holds: true } }} | ${"Deployment shop/web"}
    ${"a binding whose template is not seen"}   | ${"shop"}    | ${{ kind: { synced: true, holds: false } }} | ${"Deployment shop/web"}
    ${"such a binding of another namespace"}    | ${"other"}   | ${{ kind: undefined }}                      | ${undefined}
    ${"such a binding of no namespace"}         | ${undefined} | ${{ bindings: [ROLE], kind: undefined }}    | ${"ClusterRole reader"}
    ${"one of none, asked of a namespace"}      | ${"shop"}    | ${{ bindings: [ROLE], kind: undefined }}    | ${undefined}
  `("waits for $waits with $given", ({ namespace, world, waits }) => {
    expect(unseen(namespace as string | undefined, world as World)).toBe(waits);
  });
});
