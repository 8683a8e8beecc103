// Do other programs learn what runs, and only that?
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tiers } from "./lifecycle.js";
import { dropState, envOf, readEnv, readState, runningIn, saveState, type ProcessState, type State } from "./state.js";

const spec: ProcessState = { argv: ["x"], env: {}, cwd: "/", log: "/l", probe: { url: "http://127.0.0.1:1" } };
const binaries = { kubernetes: "/b/kubernetes", kubectl: "/b/kubectl", kwok: "/b/kwok" };
const access = { kubeconfig: "/d/k", server: "https://127.0.0.1:1" };

function stateIn(dir: string): State {
  const clusters = { host: access, member1: access };
  const processes = { etcd: { ...spec, pid: 7, startTime: "1" }, watcher: spec };
  return { dir, binaries, clusters, processes, metrics: { watcher: 9 } };
}

describe("envOf", () => {
  it("keeps the host apart from the members, and leaves out what does not run", () => {
    expect(envOf(stateIn("/d"))).toEqual({
      dir: "/d",
      host: access,
      members: { member1: access },
      pids: { etcd: 7 },
      kubectl: "/b/kubectl",
      logs: "/d/logs",
      metrics: { watcher: 9 },
    });
  });

  it("refuses a state without a host", () => {
    expect(() => envOf({ ...stateIn("/d"), clusters: {} })).toThrow("there is no host cluster");
  });
});

describe("a state on disk", () => {
  it("comes back as it was, with its env.json, until it is dropped", () => {
    const dir = mkdtempSync(join(tmpdir(), "holdfast-state-"));
    const state = stateIn(dir);
    saveState(state);
    expect(readState(dir)).toEqual(state);
    expect(JSON.parse(readFileSync(join(dir, "env.json"), "utf8"))).toEqual(envOf(state));
    dropState(dir);
    expect(readState(dir)).toBeUndefined();
    expect(() => readEnv(dir)).toThrow(`npm run clusters -- up --dir ${dir}`);
    rmSync(dir, { recursive: true });
  });
});

describe("runningIn", () => {
  it("does not take another process with the same pid for ours", () => {
    const processes = { ...stateIn("/d").processes, mine: { ...spec, pid: process.pid, startTime: "1" } };
    expect(runningIn({ ...stateIn("/d"), processes })).toEqual([]);
  });
});

describe("tiers", () => {
  it("ends clients before API servers, then etcd, and the machine last", () => {
    const names = ["machine", "etcd", "host-apiserver", "member1-kwok", "watcher", "member1-apiserver"];
    const [clients, servers] = [
      ["member1-kwok", "watcher"],
      ["host-apiserver", "member1-apiserver"],
    ];
    expect(tiers(names)).toEqual([clients, servers, ["etcd"], ["machine"]]);
  });
});
