// With which flags does each component of a control plane run?

/** Where one control plane keeps its files, and where it listens. */
export interface Site {
  readonly name: string;
  /** Holds ca.crt, the certificates of `CONTROL_PLANE_CERTIFICATES`, sa.key and `<user>.kubeconfig`. */
  readonly dir: string;
  /** The how-manieth plane this is, from 0: gives each its own Service addresses. */
  readonly index: number;
  /** IPv4 address on which its servers listen. */
  readonly address: string;
  readonly role: Role;
  /** Whether it has a kubelet with real containers, which reach the API server through its Service. */
  readonly realNode?: boolean;
}

/** A control plane, and which etcd it shares: on its own address. */
export interface Plane extends Site {
  readonly etcdPort: number;
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
export function etcdArgs(dataDir: string, address: string, clientPort: number, peerPort: number): string[] {
  const [client, peer] = [`http://${address}:${clientPort}`, `http://${address}:${peerPort}`];
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
export function apiserverArgs(plane: Plane, port: number): string[] {
  const { name, dir, index, address, etcdPort, role } = plane;
  return [
    "kube-apiserver",
    `--etcd-servers=http://${address}:${etcdPort}`,
    `--etcd-prefix=/${name}`,
    `--bind-address=${address}`,
    `--secure-port=${port}`,
    ...servingArgs(dir),
    `--client-ca-file=${dir}/ca.crt`,
    "--allow-privileged=true",
    "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
    `--service-account-key-file=${dir}/sa.key`,
    `--service-account-signing-key-file=${dir}/sa.key`,
    `--service-cluster-ip-range=${servicePrefix(index)}.0.0/16`,
    ...nodeArgs(plane),
    // Nobody on a bare host takes the protection of claims and volumes off again: they would never finish deleting.
    ...(role === "controlPlane" ? ["--disable-admission-plugins=StorageObjectInUseProtection"] : []),
  ];
}

/** Without its own credentials per controller, RBAC forbids it to empty namespaces and they never finish deleting. */
export function controllerManagerArgs({ dir, role, address }: Plane, port: number): string[] {
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
    `--bind-address=${address}`,
    `--secure-port=${port}`,
    ...servingArgs(dir),
    ...(role === "controlPlane" ? [`--controllers=${HOST_CONTROLLERS}`] : []),
  ];
}

/** A member's scheduler. */
export function schedulerArgs({ dir, address }: Plane, port: number): string[] {
  return [
    "kube-scheduler",
    `--kubeconfig=${dir}/scheduler.kubeconfig`,
    "--leader-elect=false",
    `--bind-address=${address}`,
    `--secure-port=${port}`,
    ...servingArgs(dir),
  ];
}

/** kwok plays the kubelet of every node: pods that are scheduled turn Ready, without containers. */
export function kwokArgs({ dir, address }: Plane, port: number): string[] {
  return [
    `--kubeconfig=${dir}/admin.kubeconfig`,
    "--manage-all-nodes=true",
    "--node-lease-duration-seconds=40",
    `--server-address=${address}:${port}`,
  ];
}

/** The address of the Service `kubernetes`: the first of the plane's range. */
export function apiServiceAddress(index: number): string {
  return `${servicePrefix(index)}.0.1`;
}

function servicePrefix(index: number): string {
  return `10.${100 + index}`;
}

/** Nodes that kwok plays reach nobody, and nobody reaches them. */
function nodeArgs({ dir, address, realNode }: Plane): string[] {
  if (!realNode) return ["--authorization-mode=RBAC", "--endpoint-reconciler-type=none"];
  return [
    "--authorization-mode=Node,RBAC",
    "--enable-admission-plugins=NodeRestriction",
    `--advertise-address=${address}`,
    "--kubelet-preferred-address-types=InternalIP",
    `--kubelet-client-certificate=${dir}/admin.crt`,
    `--kubelet-client-key=${dir}/admin.key`,
  ];
}

function servingArgs(dir: string): string[] {
  return [`--tls-cert-file=${dir}/apiserver.crt`, `--tls-private-key-file=${dir}/apiserver.key`];
}
