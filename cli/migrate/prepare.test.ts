// Is everything told that is not as a plan says, and nothing else?
import { describe, expect, it } from "vitest";
import { configMap } from "../view/samples.js";
import { movedOf, type Item } from "./prepare.js";

type Verdict = Item["verdict"];

const ready: Verdict = { state: "ready" };
const managed: Verdict = { state: "managed" };
const changes = (diff: string): Verdict => ({ state: "changes", diff, rollsOut: false });
const blocked: Verdict = { state: "blocked", why: "it is theirs", wayOut: "ask them" };

function moved(was: Verdict, is: Verdict, { uid = "u1", edited = false } = {}): string[] {
  const template = configMap("web");
  const planned = {
    apiVersion: "v1",
    kind: "ConfigMap",
    namespace: "shop",
    name: "web",
    uid: "u1",
    verdict: was,
    remarks: [],
    file: "shop/configmap-web.yaml",
  };
  const item = { planned, template, live: configMap("web", uid), verdict: is };
  return movedOf(item, new Set(edited ? [planned.file] : [])).map(({ what }) => what);
}

describe("movedOf", () => {
  it.each`
    what                                              | was               | is                | more                | says
    ${"nothing has moved"}                            | ${ready}          | ${ready}          | ${{}}               | ${[]}
    ${"it would change as planned"}                   | ${changes("- a")} | ${changes("- a")} | ${{}}               | ${[]}
    ${"it would change less than planned"}            | ${changes("- a")} | ${ready}          | ${{}}               | ${[]}
    ${"it would change otherwise"}                    | ${ready}          | ${changes("- a")} | ${{}}               | ${["would change otherwise"]}
    ${"its file was edited"}                          | ${ready}          | ${changes("- a")} | ${{ edited: true }} | ${["since its file was edited"]}
    ${"it cannot be taken over any more"}             | ${ready}          | ${blocked}        | ${{}}               | ${["it is theirs; ask them"]}
    ${"it has been made anew"}                        | ${ready}          | ${ready}          | ${{ uid: "u2" }}    | ${["another object"]}
    ${"it is taken over"}                             | ${ready}          | ${managed}        | ${{}}               | ${[]}
    ${"it is taken over, and was replaced with that"} | ${ready}          | ${managed}        | ${{ uid: "u2" }}    | ${["another object"]}
  `(
    "says $says where $what",
    ({ was, is, more, says }: { was: Verdict; is: Verdict; more: Parameters<typeof moved>[2]; says: string[] }) => {
      const told = moved(was, is, more);
      expect(told).toHaveLength(says.length);
      says.forEach((words, i) => expect(told[i]).toContain(words));
    },
  );
});
