// Who may take over what is in a member already, as the API server itself judges?
import { execFile } from "node:child_process";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { join } from "node:path";
import { ROOT } from "../../hack/clusters/bundle.js";
import { CONFLICT_RESOLUTION_ANNOTATION } from "../../lib/domain/marks.js";
import { readEnv } from "../../hack/clusters/index.js";
import { applied, freshName, kubectl, type Said } from "../integration/support/case-kubectl.js";
import { configMap, onto, policy } from "../integration/support/case-objects.js";
import { eventually } from "../integration/support/eventually.js";
import { told } from "../integration/support/round-trip.js";

const FILES = join(ROOT, "charts/holdfast/files");
const REFUSED = /Overwrite can take over any object in a member/i;

const space = freshName("overwrite");
const binding = (name: string, role: string, user: string): object => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "RoleBinding",
  metadata: { namespace: space, name },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
  subjects: [{ kind: "User", name: user, apiGroup: "rbac.authorization.k8s.io" }],
});

function webPolicy(name: string, conflictResolution: string, cluster = "member1"): object {
  const resourceSelectors = [{ apiVersion: "v1", kind: "ConfigMap", name }];
  return policy(space, name, { resourceSelectors, placement: onto(cluster), conflictResolution });
}

const as = (user: string, object: object): Promise<Said> =>
  kubectl("host", ["apply", "--as", user, "-f", "-"], JSON.stringify(object));

const overwriting = (name: string, value = "overwrite"): object => {
  const template = configMap({ namespace: space, name });
  return { ...template, metadata: { ...template.metadata, annotations: { [CONFLICT_RESOLUTION_ANNOTATION]: value } } };
};

beforeAll(async () => {
  for (const file of ["roles.yaml", "overwrite.yaml"]) {
    await told("host", ["apply", "--server-side", "--force-conflicts", "-f", join(FILES, file)]);
  }
  await applied(
    "host",
    { apiVersion: "v1", kind: "Namespace", metadata: { name: space } },
    binding("editors", "edit", "eve"),
    binding("trusted", "edit", "tom"),
    binding("overwriters", "holdfast-overwrite", "tom"),
  );
  await eventually("roles and rules are known", async () => {
    // A dry run: once it stands there, it may stay.
    const args = ["create", "--dry-run=server", "--as", "eve", "-f", "-"];
    const { code, text } = await kubectl("host", args, JSON.stringify(overwriting("probe")));
    return code !== 0 && text.includes("overwrite can take over");
  });
  return async () => {
    await kubectl("host", ["delete", "namespace", space, "--wait=false"]);
    // helm takes over nothing that somebody else has made.
    for (const file of ["roles.yaml", "overwrite.yaml"]) await kubectl("host", ["delete", "-f", join(FILES, file)]);
  };
});

describe("conflictResolution: Overwrite", () => {
  it("is refused to an editor, who may write any other policy", async () => {
    expect((await as("eve", webPolicy("mine", "Abort"))).text).toContain("created");
    const refused = await as("eve", webPolicy("mine", "Overwrite"));
    expect(refused).toMatchObject({ code: 1, text: expect.stringMatching(REFUSED) });
    expect(refused.text).toContain("the ClusterRole holdfast-overwrite gives");
  });

  it("is granted to who has the verb beside that", async () => {
    expect((await as("tom", webPolicy("taken", "Overwrite"))).text).toContain("created");
  });

  it("stays where it is when an editor changes the metadata, and widens for nobody without the verb", async () => {
    await applied("host", webPolicy("standing", "Overwrite"));
    const label = ["label", "pp", "standing", "-n", space, "team=a", "--as", "eve"];
    expect((await kubectl("host", label)).text).toContain("labeled");
    const widened = await as("eve", webPolicy("standing", "Overwrite", "member2"));
    expect(widened.text).toMatch(REFUSED);
  });

  it("is judged the same as an annotation of a template", async () => {
    expect((await as("eve", overwriting("cm"))).text).toContain("overwrite can take over an object in a member");
    expect((await as("eve", overwriting("cm", "abort"))).text).toContain("created");
    expect((await as("tom", overwriting("cm"))).text).toContain("configured");
    const data = ["patch", "cm", "cm", "-n", space, "--type=merge", "-p", '{"data":{"a":"2"}}', "--as", "eve"];
    expect((await kubectl("host", data)).text).toContain("patched");
  });

  it("does not hinder the host's own controllers, which copy annotations", async () => {
    const deployment = {
      ...{ apiVersion: "apps/v1", kind: "Deployment" },
      metadata: { namespace: space, name: "web", annotations: { [CONFLICT_RESOLUTION_ANNOTATION]: "overwrite" } },
      spec: {
        selector: { matchLabels: { app: "web" } },
        template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "web:1" }] } },
      },
    };
    await applied("host", deployment);
    await eventually("a ReplicaSet", async () => (await told("host", ["get", "rs", "-n", space, "-o", "name"])) !== "");
  });
});

describe("view, edit and admin", () => {
  const can = (user: string, verb: string, resource: string): Promise<string> =>
    new Promise(resolve => {
      const env = readEnv(inject("clusters"));
      const args = ["--kubeconfig", env.host.kubeconfig, "auth", "can-i", verb, resource, "-n", space, "--as", user];
      execFile(env.kubectl, args, (_error, stdout) => resolve(stdout.trim()));
    });

  beforeAll(() => applied("host", binding("viewers", "view", "vera")));

  it.each`
    user      | verb           | resource                     | answer
    ${"vera"} | ${"get"}       | ${"propagationpolicies"}     | ${"yes"}
    ${"vera"} | ${"get"}       | ${"resourcebindings"}        | ${"yes"}
    ${"vera"} | ${"get"}       | ${"works"}                   | ${"no"}
    ${"vera"} | ${"create"}    | ${"propagationpolicies"}     | ${"no"}
    ${"eve"}  | ${"create"}    | ${"cascadedeletionpolicies"} | ${"yes"}
    ${"eve"}  | ${"get"}       | ${"works"}                   | ${"yes"}
    ${"eve"}  | ${"overwrite"} | ${"propagationpolicies"}     | ${"no"}
    ${"eve"}  | ${"patch"}     | ${"resourcebindings"}        | ${"no"}
    ${"tom"}  | ${"overwrite"} | ${"propagationpolicies"}     | ${"yes"}
  `(
    "answer $answer to $user about $verb $resource",
    async ({ user, verb, resource, answer }: Record<string, string>) => {
      expect(await can(user ?? "", verb ?? "", resource ?? "")).toBe(answer);
    },
  );
});
