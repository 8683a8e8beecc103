// With which flags does each component of a control plane run?

/** Where one control plane keeps its files, and which etcd it shares. */
export interface Plane {
  readonly name: string;
  /** Holds ca.crt, the certificates of `CONTROL_PLANE_CERTIFICATES`, sa.key and `<user>.kubeconfig`. */
  readonly dir: string;
  /** The how-manieth plane this is, from 0: gives each its own Service addresses. */
  readonly index: number;
  readonly etcdPort: number;
  readonly role: Role;
}

/** What runs on a control plane: a bare host (`controlPlane`) runs no workloads; an ordinary host runs everything, as a member does. */
export type Role = "controlPlane" | "ordinary" | "member";

// No workload controllers: an object on the host stays what a person wrote.
const HOST_CONTROLLERS = [
  "namespace-controller",
  "garbage-collector-controller",
  "serviceaccount-controller",
  "serviceaccount-token-controller",
  "root-ca-certificate-publisher-controller",
  "clusterrole-aggregation-controller",
  "ttl-after-finished-controller",
].join(",");

/** The shared etcd. What it holds need not survive a power cut, so it never waits for the disk. */
export function etcdArgs(dataDir: string, clientPort: number, peerPort: number): string[] {
  const [client, peer] = [`http://127.0.0.1:${clientPort}`, `http://127.0.0.1:${peerPort}`];
  return [
    "etcd",
    "--name=holdfast",
    `--data-dir=${dataDir}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=holdfast=${peer}`,
    "--unsafe-no-fsync",
    "--quota-backend-bytes=4294967296",
    "--log-level=error",
  ];
}

/** One API server, with RBAC; planes share an etcd by prefix. */
export function apiserverArgs({ name, dir, index, etcdPort, role }: Plane, port: number): string[] {
  return [
    "kube-apiserver",
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    `--etcd-prefix=/${name}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    ...servingArgs(dir),
    `--client-ca-file=${dir}/ca.crt`,
    "--authorization-mode=RBAC",
    "--allow-privileged=true",
    "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
    `--service-account-key-file=${dir}/sa.key`,
    `--service-account-signing-key-file=${dir}/sa.key`,
    `--service-cluster-ip-range=10.${100 + index}.0.0/16`,
    "--endpoint-reconciler-type=none",
    // Nobody on a bare host takes the protection of claims and volumes off again: they would never finish deleting.
    ...(role === "controlPlane" ? ["--disable-admission-plugins=StorageObjectInUseProtection"] : []),
  ];
}

/** Without its own credentials per controller, RBAC forbids it to empty namespaces and they never finish deleting. */
export function controllerManagerArgs({ dir, role }: Plane, port: number): string[] {
  return [
    "kube-controller-manager",
    `--kubeconfig=${dir}/controller-manager.kubeconfig`,
    "--leader-elect=false",
    "--use-service-account-credentials=true",
    // The default of 20 requests a second would be what a test with hundreds of workloads waits for.
    "--kube-api-qps=300",
    "--kube-api-burst=600",
    `--service-account-private-key-file=${dir}/sa.key`,
    `--root-ca-file=${dir}/ca.crt`,
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    ...servingArgs(dir),
    ...(role === "controlPlane" ? [`--controllers=${HOST_CONTROLLERS}`] : []),
  ];
}

/** A member's scheduler. */
export function schedulerArgs({ dir }: Plane, port: number): string[] {
  return [
    "kube-scheduler",
    `--kubeconfig=${dir}/scheduler.kubeconfig`,
    "--leader-elect=false",
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    ...servingArgs(dir),
  ];
}

/** kwok plays the kubelet of every node: pods that are scheduled turn Ready, without containers. */
export function kwokArgs({ dir }: Plane, port: number): string[] {
  return [
    `--kubeconfig=${dir}/admin.kubeconfig`,
    "--manage-all-nodes=true",
    "--node-lease-duration-seconds=40",
    `--server-address=127.0.0.1:${port}`,
  ];
}

function servingArgs(dir: string): string[] {
  return [`--tls-cert-file=${dir}/apiserver.crt`, `--tls-private-key-file=${dir}/apiserver.key`];
}
