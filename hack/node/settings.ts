// With which settings do the parts of a real node run?
import { join } from "node:path";
import { CNI_BIN } from "./programs.js";

/** Where one node keeps its files, and who it is. */
export interface NodePlace {
  readonly name: string;
  /** Its own directory. */
  readonly dir: string;
  /** The directory of its control plane: `ca.crt`, `kubelet.kubeconfig`, `kube-proxy.kubeconfig`. */
  readonly planeDir: string;
  /** The machine's address. */
  readonly address: string;
  /** Control group for its pods, from the root of each hierarchy, without a slash. */
  readonly cgroup: string;
}

export const CONTAINERD_SOCKET = "/run/containerd/containerd.sock";
/** Only in the machine: it can be the same in every one. */
const POD_NETWORK = "10.22.0.0/16";
export const PAUSE_IMAGE = "localhost/pause:1";

/** containerd's configuration file, version 2 (containerd 1.6 and 1.7). */
export function containerdConfig({ dir, address }: NodePlace, port: number): string {
  return `version = 2
root = "${join(dir, "containerd")}"
state = "/run/containerd"
[grpc]
  address = "${CONTAINERD_SOCKET}"
[metrics]
  address = "${address}:${port}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${PAUSE_IMAGE}"
  # Without CAP_SYS_RESOURCE, as in many virtual machines, runc cannot lower a score.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${CNI_BIN}"
    conf_dir = "${join(dir, "cni")}"
`;
}

/** Pods get addresses of a bridge in the machine, and reach what it reaches. */
export function cniConfig({ dir }: NodePlace): object {
  const ranges = [[{ subnet: POD_NETWORK }]];
  const ipam = { type: "host-local", dataDir: join(dir, "addresses"), ranges, routes: [{ dst: "0.0.0.0/0" }] };
  return {
    cniVersion: "0.4.0",
    name: "pods",
    plugins: [
      { type: "bridge", bridge: "cni0", isGateway: true, ipMasq: true, hairpinMode: true, ipam },
      { type: "portmap", capabilities: { portMappings: true } },
    ],
  };
}

/** kubelet's configuration file. */
export function kubeletConfig({ dir, planeDir, address, cgroup }: NodePlace, port: number, healthPort: number): object {
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    address,
    port,
    healthzBindAddress: address,
    healthzPort: healthPort,
    authentication: { x509: { clientCAFile: join(planeDir, "ca.crt") }, webhook: { enabled: true } },
    authorization: { mode: "Webhook" },
    containerRuntimeEndpoint: `unix://${CONTAINERD_SOCKET}`,
    cgroupDriver: "cgroupfs",
    cgroupRoot: `/${cgroup}`,
    failCgroupV1: false,
    failSwapOn: false,
    podLogsDir: "/var/log/pods",
    resolvConf: join(dir, "resolv.conf"),
    volumePluginDir: join(dir, "plugins"),
    // The disk is this machine's, and so is what fills it.
    evictionHard: { "memory.available": "100Mi", "nodefs.available": "0%", "imagefs.available": "0%" },
    imageGCHighThresholdPercent: 100,
  };
}

/** kubelet's command line. */
export function kubeletArgs({ name, dir, planeDir, address }: NodePlace): string[] {
  return [
    "kubelet",
    `--config=${join(dir, "kubelet.json")}`,
    `--kubeconfig=${join(planeDir, "kubelet.kubeconfig")}`,
    `--root-dir=${join(dir, "kubelet")}`,
    `--cert-dir=${join(dir, "kubelet-pki")}`,
    `--hostname-override=${name}`,
    `--node-ip=${address}`,
  ];
}

/** kube-proxy's command line. What a connection may cost is the whole machine's setting, and not its to make. */
export function kubeProxyArgs(
  { name, planeDir, address }: NodePlace,
  healthPort: number,
  metricsPort: number,
): string[] {
  return [
    "kube-proxy",
    `--kubeconfig=${join(planeDir, "kube-proxy.kubeconfig")}`,
    `--hostname-override=${name}`,
    "--proxy-mode=iptables",
    `--cluster-cidr=${POD_NETWORK}`,
    "--nodeport-addresses=primary",
    `--healthz-bind-address=${address}:${healthPort}`,
    `--metrics-bind-address=${address}:${metricsPort}`,
    "--conntrack-max-per-core=0",
    "--conntrack-tcp-timeout-established=0s",
    "--conntrack-tcp-timeout-close-wait=0s",
  ];
}
