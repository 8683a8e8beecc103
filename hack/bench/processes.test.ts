// Are connections read as the kernel writes them, and a process's cost found?
import { describe, expect, it } from "vitest";
import { connectionsTo } from "./connections.js";
import { cpuSeconds, parseSockets, peakMemory, resetPeakMemory } from "./processes.js";

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 100 1 0 100 0 0 10 0
   1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 200 1 0 20 4 30 10 -1
   2: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 300 1 0 20 4 30 10 -1
   3: 0100007F:C351 0100007F:1F90 06 00000000:00000000 03:00000A8C 00000000     0        0 0 3 0
   4: 0100007F:C352 0100007F:0050 01 00000000:00000000 00:00000000 00000000     0        0 400 1 0 20 4 30 10 -1
`;

describe("parseSockets", () => {
  it("reads ports, state and owner", () => {
    expect(parseSockets(TABLE)[1]).toEqual({ localPort: 50000, remotePort: 8080, established: true, inode: 200 });
    expect(parseSockets(TABLE).map(({ established }) => established)).toEqual([false, true, true, false, true]);
  });

  it("finds nothing in nothing", () => {
    expect(parseSockets("")).toEqual([]);
  });
});

describe("connectionsTo", () => {
  it("counts each connection to a server once, whichever end is listed, also when it has ended", () => {
    expect(connectionsTo(new Set([8080]), parseSockets(TABLE))).toEqual(["50000>8080", "50001>8080"]);
  });
});

describe("cpuSeconds and peakMemory", () => {
  it("find this process", () => {
    expect(cpuSeconds(process.pid)).toBeGreaterThan(0);
    expect(peakMemory(process.pid)).toBeGreaterThan(10);
  });

  it("answer 0 for a process that is not there", () => {
    expect([cpuSeconds(-1), peakMemory(-1), resetPeakMemory(-1)]).toEqual([0, 0, false]);
  });
});
