// Does a template's manifest, by a real API server's record, hold what people wrote and nothing of the host's?
import { beforeAll, describe, expect, inject, it } from "vitest";
import { covers, project, stableHash } from "../../lib/domain/drift.js";
import { ownedManifest, trimManagedFields } from "../../lib/domain/owned-fields.js";
import { openClusters, type ClusterUnderTest } from "./ownership-cluster.js";
import { CLAIM, JOB, mapContainers, SERVICE, web } from "./ownership-objects.js";

let host: ClusterUnderTest;
let member: ClusterUnderTest;

beforeAll(async () => {
  const clusters = await openClusters(inject("clusters"));
  ({ host, member } = clusters);
  return clusters.close;
});

describe("ownedManifest", () => {
  it.each([
    { object: SERVICE, flag: "--server-side", absent: ["clusterIP", "nodePort", "healthCheckNodePort", "ipFamil"] },
    { object: SERVICE, flag: "--server-side=false", absent: ["clusterIP", "nodePort", "healthCheckNodePort"] },
    { object: JOB, flag: "--server-side", absent: ["controller-uid", "job-name", "selector", "ttl"] },
    { object: JOB, flag: "--server-side=false", absent: ["controller-uid", "job-name", "selector", "ttl"] },
    { object: CLAIM, flag: "--server-side", absent: ["volumeName", "finalizers", "storageClass"] },
    { object: CLAIM, flag: "--server-side=false", absent: ["volumeName", "finalizers", "storageClass"] },
  ])("of a $object.kind applied with $flag holds nothing of the host's own", async ({ object, flag, absent }) => {
    const name = `${object.metadata.name}${flag.includes("false") ? "-client" : ""}`;
    const wanted = { ...object, metadata: { ...object.metadata, name } };
    host.kubectl(["apply", flag, "-f", "-"], wanted);
    const template = host.read(object.kind, name);

    const manifest = ownedManifest(template);

    const text = JSON.stringify(manifest);
    for (const field of absent) expect(text).not.toContain(field);
    expect(ownedManifest(trimManagedFields(template))).toEqual(manifest);
    await member.applyAsHoldfast(manifest);
    await member.applyAsHoldfast(manifest);
    const live = member.read(object.kind, name);
    expect(covers(live, manifest)).toBe(true);
    expect(stableHash(project(live, manifest))).toBe(stableHash(manifest));
  });

  it("is what was written, when it was written with server-side apply", () => {
    host.kubectl(["apply", "--server-side", "-f", "-"], web("verbatim"));

    const manifest = ownedManifest(host.read("deployment", "verbatim"));

    // `protocol` is a key of the ports list, so the API server counts its default as written.
    const expected = mapContainers(web("verbatim"), container => ({
      ...container,
      ports: [{ containerPort: 80, protocol: "TCP" }],
    }));
    expect(manifest).toEqual(expected);
  });

  it("follows a person who scales with the scale subresource", () => {
    host.kubectl(["apply", "--server-side", "-f", "-"], web("scaled"));
    host.kubectl(["scale", "deployment", "scaled", "--replicas=5"]);

    expect(ownedManifest(host.read("deployment", "scaled")).spec).toMatchObject({ replicas: 5 });
  });
});
