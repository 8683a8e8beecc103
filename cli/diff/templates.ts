// Which templates does a diff look at, and what is known of each?
import type { KubeObject } from "../../crds/object.js";
import type { Discovery, ServedResource } from "../../lib/kube/discovery.js";
import { apiVersionOf, ResourceClient } from "../../lib/kube/resource.js";
import type { Fleet } from "../access/fleet.js";
import { nameOf } from "../output/format.js";
import { EXIT, Problem } from "../problem.js";
import { isPolicy } from "../preview/policies.js";
import type { TemplateFacts } from "../preview/plan.js";
import { placeOf, resolveTargets } from "../target/targets.js";
import { bindingOf, worksOf } from "../view/chain.js";

/** Templates, and policies that shall count in place of the host's or beside them. */
export interface Sources {
  readonly templates: readonly KubeObject[];
  readonly policies: readonly KubeObject[];
}

/** Objects of files, each with its namespace. @throws Problem for a kind that the host does not serve */
export function fromFiles(objects: readonly KubeObject[], discovery: Discovery, namespace: string): Sources {
  const placed = objects.map(object => inNamespace(object, servedKind(object, discovery), namespace));
  return {
    templates: placed.filter(object => !isPolicy(object)),
    policies: placed.filter(isPolicy),
  };
}

function servedKind({ apiVersion, kind, metadata }: KubeObject, discovery: Discovery): ServedResource {
  const resource = discovery.find(apiVersion, kind);
  if (resource) return resource;
  const hint = "correct apiVersion and kind, or install its CRD on the host";
  throw new Problem(`${kind} ${metadata.name}: the host serves no ${apiVersion} ${kind}`, hint, EXIT.usage);
}

function inNamespace(object: KubeObject, { namespaced }: ServedResource, fallback: string): KubeObject {
  const { namespace, ...metadata } = object.metadata;
  return { ...object, metadata: namespaced ? { ...metadata, namespace: namespace ?? fallback } : metadata };
}

/** Objects of the host. @throws Problem for one that is not there */
export async function fromHost(
  { host, discovery }: Fleet,
  words: readonly string[],
  namespace: string | undefined,
): Promise<Sources> {
  const targets = resolveTargets(discovery.served.resources, words);
  const templates = await Promise.all(
    targets.flatMap(({ resource, names }) => {
      if (names.length === 0) {
        const hint = "write KIND/NAME, such as deploy/web, or -f FILE";
        throw new Problem(`no ${resource.plural} are named`, hint, EXIT.usage);
      }
      return names.map(async name => {
        const live = await new ResourceClient(host.client, resource).find(placeOf({ resource, name }, namespace));
        if (live) return { ...live, apiVersion: apiVersionOf(resource), kind: resource.kind };
        const where = resource.namespaced ? ` in namespace ${namespace}` : "";
        throw new Problem(
          `the host has no ${nameOf(resource, name)}${where}`,
          "diff -f FILE compares what is not there yet",
        );
      });
    }),
  );
  return { templates, policies: [] };
}

/** What the host has about a template. */
export async function factsOf({ host, discovery }: Fleet, template: KubeObject): Promise<TemplateFacts> {
  const resource = discovery.find(template.apiVersion, template.kind);
  const [live, binding] = await Promise.all([
    resource && new ResourceClient(host.client, resource).find(template.metadata),
    bindingOf(host.client, template),
  ]);
  const works = binding ? await worksOf(host.client, binding) : [];
  return { template, live, binding, works };
}
