// Do webhook configurations reach the operator beside the cluster, and keep all else?
import { describe, expect, it } from "vitest";
import { parseWebhooks, pointAtEndpoint } from "./webhooks.js";

const endpoint = { port: 8443, apiPath: "secret", caBundle: "Q0E=" };
const service = { service: { name: "holdfast", namespace: "holdfast-system", path: "/x" } };

describe("pointAtEndpoint", () => {
  it.each([
    ["MutatingWebhookConfiguration", "https://127.0.0.1:8443/mutate/secret"],
    ["ValidatingWebhookConfiguration", "https://127.0.0.1:8443/validate/secret"],
  ])("replaces the client of every webhook of a %s and nothing else", (kind, url) => {
    const webhooks = [
      { name: "a", clientConfig: service, failurePolicy: "Fail" },
      { name: "b", clientConfig: service },
    ];
    const clientConfig = { url, caBundle: "Q0E=" };
    expect(pointAtEndpoint({ kind, metadata: { name: "h" }, webhooks }, endpoint)).toEqual({
      kind,
      metadata: { name: "h" },
      webhooks: [
        { name: "a", clientConfig, failurePolicy: "Fail" },
        { name: "b", clientConfig },
      ],
    });
  });
});

describe("parseWebhooks", () => {
  it("finds them in documents and in Lists", () => {
    const text = [
      "# generated",
      "kind: MutatingWebhookConfiguration",
      "---",
      "kind: List",
      "items:",
      "  - kind: ValidatingWebhookConfiguration",
      "---",
    ].join("\n");
    expect(parseWebhooks(text).map(({ kind }) => kind)).toEqual([
      "MutatingWebhookConfiguration",
      "ValidatingWebhookConfiguration",
    ]);
  });

  it.each([
    ["another kind", "kind: Secret", "not a webhook configuration"],
    ["broken YAML", "kind: [", "Flow sequence"],
  ])("refuses %s", (_what, text, message) => {
    expect(() => parseWebhooks(text)).toThrow(message);
  });
});
