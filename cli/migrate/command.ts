// The commands of `migrate`.
import type { Command } from "commander";
import type { Shell } from "../shell.js";
import { addApply } from "./apply-command.js";
import { addPlan } from "./plan-command.js";
import { addBack } from "./rollback-command.js";
import { addStatus } from "./status-command.js";

/** Adds `migrate` and what belongs to it. */
export function addMigrate(program: Command, shell: Shell): void {
  const migrate = program
    .command("migrate")
    .helpGroup("Moving in and out:")
    .description("Move what a cluster runs under Holdfast, in batches, and back.");
  addPlan(migrate, shell);
  addApply(migrate, shell);
  addStatus(migrate, shell);
  addBack(migrate, shell);
}
