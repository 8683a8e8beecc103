// Which addresses do Services and Ingresses have, taken over all members?
import { isIP } from "node:net";
import { type JsonRecord, defined, integerAt, pick, recordAt, recordsAt, textAt } from "./read.js";
import { type Aggregation, type StatusRules, healthIf, specOf, statusOf } from "./rule.js";

/** Rules of Service and Ingress (spec/karmada.md 5.6). Only a Service of type LoadBalancer has a state of its own. */
export const networkingRules: StatusRules = {
  "/Service": {
    reflect: live => (isLoadBalancer(specOf(live)) ? statusOf(live) : undefined),
    health: (live, status) => healthIf(!isLoadBalancer(specOf(live)) || hasAddress(status)),
    aggregate: aggregation =>
      isLoadBalancer(specOf(aggregation.template)) ? mergeAddresses(aggregation, serviceAddress) : undefined,
  },
  "networking.k8s.io/Ingress": {
    health: (_live, status) => healthIf(hasAddress(status)),
    aggregate: aggregation => mergeAddresses(aggregation, address),
  },
};

const DNS_NAME = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function isLoadBalancer(spec: JsonRecord): boolean {
  return spec.type === "LoadBalancer";
}

function addressesOf(status: JsonRecord): readonly JsonRecord[] {
  return recordsAt(recordAt(status, "loadBalancer"), "ingress");
}

function hasAddress(status: JsonRecord): boolean {
  return addressesOf(status).some(
    entry => textAt(entry, "ip") !== undefined || textAt(entry, "hostname") !== undefined,
  );
}

function mergeAddresses({ known }: Aggregation, read: (entry: JsonRecord) => JsonRecord | undefined): JsonRecord {
  const entries = known.flatMap(item => addressesOf(item.status).map(read)).filter(entry => entry !== undefined);
  const byText = new Map(entries.map(entry => [JSON.stringify(entry), entry]));
  const ingress = [...byText.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  return { loadBalancer: ingress.length > 0 ? { ingress } : {} };
}

/** One address; undefined when the API server would refuse it, so that one sick member cannot block the others. */
function address(entry: JsonRecord): JsonRecord | undefined {
  const ip = textAt(entry, "ip");
  const hostname = textAt(entry, "hostname");
  if (ip === undefined && hostname === undefined) return undefined;
  if (ip !== undefined && isIP(ip) === 0) return undefined;
  if (hostname !== undefined && (isIP(hostname) !== 0 || !DNS_NAME.test(hostname))) return undefined;
  const ports = recordsAt(entry, "ports").filter(isPort).map(portOf);
  return defined({ ip, hostname, ports: ports.length > 0 ? ports : undefined });
}

/** A Service's IP always has a mode; the API server says VIP where nobody said anything. */
function serviceAddress(entry: JsonRecord): JsonRecord | undefined {
  const plain = address(entry);
  if (!plain || plain.ip === undefined) return plain;
  const { ip, ...rest } = plain;
  return { ip, ipMode: entry.ipMode === "Proxy" ? "Proxy" : "VIP", ...rest };
}

function isPort(port: JsonRecord): boolean {
  const number = integerAt(port, "port");
  return number !== undefined && number > 0 && number < 65_536 && textAt(port, "protocol") !== undefined;
}

function portOf(port: JsonRecord): JsonRecord {
  return { ...pick(port, ["port", "protocol"]), ...defined({ error: textAt(port, "error") }) };
}
