// How is a tree written for a person?
import { ageOf } from "../output/age.js";
import { tableOf, UNKNOWN, type Column } from "../output/table.js";
import type { TreeNode } from "./node.js";

interface Line {
  readonly branch: string;
  readonly node: TreeNode;
}

const COLUMNS: readonly Column<Line>[] = [
  { header: "Object", value: ({ branch, node }) => `${branch}${nameOf(node)}` },
  { header: "Cluster", value: ({ node }) => node.cluster ?? "<host>" },
  { header: "Ready", value: ({ node }) => node.ready },
  { header: "State", value: ({ node }) => node.state },
  { header: "Adoption", value: ({ node }) => node.adoption },
  { header: "Reason", value: ({ node }) => node.reason },
  { header: "Age", value: ({ node }) => ageIn(node) },
  { header: "Message", value: ({ node }) => node.message, wide: true },
];

/** The tree as a table whose first column is the tree. */
export function treeLines(root: TreeNode, wide: boolean): string[] {
  return tableOf(COLUMNS, linesOf(root, "", ""), { wide });
}

/** Every node, the root first. */
export function nodesOf(root: TreeNode): TreeNode[] {
  return [root, ...(root.children ?? []).flatMap(nodesOf)];
}

/** `Deployment/web`, `Work/karmada-es-member1/web-abc`: with the namespace where it is not the template's own. */
function nameOf({ kind, namespace, name }: TreeNode): string {
  return kind === "Work" ? `${kind}/${namespace}/${name}` : `${kind}/${name}`;
}

function linesOf(node: TreeNode, branch: string, indent: string): Line[] {
  const children = node.children ?? [];
  return [
    { branch, node },
    ...children.flatMap((child, i) => {
      const isLast = i === children.length - 1;
      return linesOf(child, `${indent}${isLast ? "└── " : "├── "}`, `${indent}${isLast ? "    " : "│   "}`);
    }),
  ];
}

function ageIn({ creationTimestamp, state }: TreeNode): string | undefined {
  if (creationTimestamp) return ageOf(creationTimestamp);
  return state === "Missing" ? undefined : UNKNOWN;
}
