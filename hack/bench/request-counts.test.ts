// Is every request counted where the API server counts it, and is work told from what always happens?
import { describe, expect, it } from "vitest";
import { keyOf, kindOfRequest, minus, parseRequestTotal, summarize, trailingWrites } from "./request-counts.js";

const TEXT = `# TYPE apiserver_request_total counter
apiserver_request_total{code="200",component="apiserver",dry_run="",group="work.karmada.io",resource="works",scope="resource",subresource="status",verb="PATCH",version="v1alpha1"} 4
apiserver_request_total{code="201",component="apiserver",dry_run="",group="",resource="configmaps",scope="resource",subresource="",verb="POST",version="v1"} 3
apiserver_request_total{code="409",component="apiserver",dry_run="",group="",resource="configmaps",scope="resource",subresource="",verb="POST",version="v1"} 1
apiserver_request_total{code="200",component="apiserver",dry_run="",group="coordination.k8s.io",resource="leases",scope="resource",subresource="",verb="PATCH",version="v1"} 7
apiserver_request_total{code="200",component="apiserver",dry_run="",group="",resource="pods",scope="cluster",subresource="",verb="LIST",version="v1"} 2
apiserver_request_total{code="0",component="apiserver",dry_run="",group="",resource="pods",scope="cluster",subresource="",verb="WATCH",version="v1"} 9
apiserver_request_total{code="200",component="apiserver",dry_run="",group="",resource="",scope="",subresource="/readyz",verb="GET",version=""} 5
apiserver_request_total{code="200",component="apiserver",dry_run="",group="cluster.karmada.io",resource="clusters",scope="resource",subresource="status",verb="PATCH",version="v1alpha1"} 6
apiserver_current_inflight_requests{request_kind="mutating"} 1
`;

describe("summarize", () => {
  const requests = summarize(parseRequestTotal(TEXT));

  it("leaves LIST and WATCH out of the requests and counts them apart", () => {
    expect(requests).toMatchObject({ total: 4 + 3 + 1 + 7 + 5 + 6, lists: 2, watches: 9 });
  });

  it("counts neither leases nor probes as work", () => {
    expect(requests.work).toBe(4 + 3 + 1 + 6);
  });

  it("names refusals by their code", () => {
    expect(requests.refused).toEqual({ "409": 1 });
  });

  it("names what was asked, the most frequent first, without watches", () => {
    expect(Object.entries(requests.by)).toEqual([
      ["PATCH leases.coordination.k8s.io", 7],
      ["PATCH clusters.cluster.karmada.io/status", 6],
      ["GET /readyz", 5],
      ["PATCH works.work.karmada.io/status", 4],
      ["POST configmaps", 4],
      ["LIST pods", 2],
    ]);
  });
});

describe("trailingWrites", () => {
  it("takes leases and the state of clusters for no sign of work", () => {
    expect(trailingWrites(parseRequestTotal(TEXT))).toBe(4 + 3 + 1);
  });
});

describe("kindOfRequest", () => {
  it.each`
    path                                                         | group                | resource         | subresource
    ${"/api/v1/namespaces"}                                      | ${""}                | ${"namespaces"}  | ${""}
    ${"/api/v1/namespaces/bench"}                                | ${""}                | ${"namespaces"}  | ${""}
    ${"/api/v1/namespaces/bench/configmaps"}                     | ${""}                | ${"configmaps"}  | ${""}
    ${"/apis/apps/v1/namespaces/bench/deployments/a"}            | ${"apps"}            | ${"deployments"} | ${""}
    ${"/apis/apps/v1/namespaces/bench/deployments/a/status?x=1"} | ${"apps"}            | ${"deployments"} | ${"status"}
    ${"/apis/work.karmada.io/v1alpha1/works?limit=500"}          | ${"work.karmada.io"} | ${"works"}       | ${""}
    ${"/readyz"}                                                 | ${""}                | ${""}            | ${"/readyz"}
  `("takes $path for $resource of $group", ({ path, group, resource, subresource }) => {
    expect(kindOfRequest("GET", path, 200)).toEqual({ verb: "GET", group, resource, subresource, code: "200" });
  });

  it("has the key under which the server counts the same request", () => {
    const counted = parseRequestTotal(TEXT);
    expect(counted.get(keyOf(kindOfRequest("POST", "/api/v1/namespaces/bench/configmaps", 201)))).toBe(3);
  });
});

describe("minus", () => {
  it("keeps what is left, on both sides, and drops what is not", () => {
    const left = minus(
      new Map([
        ["a", 5],
        ["b", 2],
      ]),
      new Map([
        ["a", 3],
        ["b", 2],
        ["c", 1],
      ]),
    );
    expect([...left]).toEqual([
      ["a", 2],
      ["c", -1],
    ]);
  });
});
