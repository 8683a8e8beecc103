// The story's second part: what does a person hear who writes a policy wrongly?
import type { Stage } from "./stage.js";

/** Two answers at most: the API server's schema first, then Holdfast; each names all it finds, and what to write. */
export async function wrongPoliciesAreRefused(stage: Stage): Promise<void> {
  stage.heading("A wrong policy is refused, in words");
  stage.say("First the API server itself: it has the schema of every kind.");
  const first = await stage.run("kubectl apply -f examples/refused/schema.yaml", "refused");
  stage.see("All slips at once, each with its field and the words that are allowed.");
  stage.check("the schema names all three fields", mentions(first, SCHEMA));
  stage.say("\nThen Holdfast, for what no schema can know:");
  const second = await stage.run("kubectl apply -f examples/refused/meaning.yaml", "refused");
  stage.see("Each field with the reason and what to write instead; an unknown cluster is only a warning.");
  stage.check("Holdfast names all three fields and warns of the cluster", mentions(second, MEANING));
  const left = await stage.run("kubectl get propagationpolicies,overridepolicies");
  stage.check("nothing was stored", left.includes("No resources found"));
}

const SCHEMA = ["spec.resourceSelectors", '"Abort", "Overwrite"', '"Duplicated", "Divided"'];
const MEANING = ["write propagateDeps", "matchExpressions[0].values", "write /spec/replicas", 'cluster "member7"'];

function mentions(output: string, words: readonly string[]): boolean {
  return words.every(word => output.includes(word));
}
