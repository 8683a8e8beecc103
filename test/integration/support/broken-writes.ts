// How does a real API server fail every write in one namespace? By a webhook that cannot be reached, or never answers.
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { deleteAndWait } from "./shop.js";
import { eventually } from "./eventually.js";
import type { Site } from "./site.js";

/** `error`: 500 at once · `refusal`: 403 · `timeout`: 500 after seconds · `slow`: it works, after seconds. */
export type Break = "error" | "refusal" | "timeout" | "slow";

/** Fails, or slows down, what is written to Deployments of one namespace. Returns what makes it whole again. */
export async function breakWrites(site: Site, namespace: string, how: Break): Promise<() => Promise<void>> {
  const silent = how === "timeout" || how === "slow" ? await silentServer() : undefined;
  const kind = how === "refusal" ? "ValidatingAdmissionPolicyBinding" : "ValidatingWebhookConfiguration";
  const yaml = how === "refusal" ? refusal(namespace) : webhook(namespace, how, silent?.url ?? "https://127.0.0.1:1");
  await site.apply(yaml);
  const probe = { kind: "Deployment", namespace, name: "web" };
  // It takes the server a moment to heed it.
  if (how !== "slow")
    await eventually("writes fail", () => fails(() => site.patch(probe, { metadata: { labels: {} } })));
  const mend = async (): Promise<void> => {
    await deleteAndWait(site, { kind, name: `break-${namespace}` });
    silent?.close();
  };
  return mend;
}

async function fails(write: () => Promise<unknown>): Promise<boolean> {
  return write().then(
    () => false,
    () => true,
  );
}

const rule = (namespace: string) => `
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ${namespace}}}`;

function webhook(namespace: string, how: Break, url: string): string {
  const [policy, seconds] = how === "slow" ? ["Ignore", 5] : ["Fail", how === "timeout" ? 3 : 1];
  return `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: break-${namespace}}
webhooks:
- name: broken.holdfast.test
  admissionReviewVersions: [v1]
  sideEffects: None
  timeoutSeconds: ${seconds}
  failurePolicy: ${policy}
  clientConfig: {url: "${url}/"}
  rules: [{apiGroups: [apps], apiVersions: [v1], operations: ["*"], resources: [deployments]}]${rule(namespace)}
`;
}

function refusal(namespace: string): string {
  return `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: break-${namespace}}
spec:
  failurePolicy: Fail
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: ["*"], resources: [deployments]}]}
  validations: [{expression: "false", message: "closed for the day", reason: Forbidden}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: break-${namespace}}
spec:
  policyName: break-${namespace}
  validationActions: [Deny]
  matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ${namespace}}}}
`;
}

/** Accepts connections and says nothing. */
async function silentServer(): Promise<{ url: string; close: () => void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer(socket => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).resume();
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
