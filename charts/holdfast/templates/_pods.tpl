{{/* How is a pod of the operator made? */}}

{{/* A Deployment. Takes a dict: root, component, values, env (a YAML list), ports (a YAML list). */}}
{{- define "holdfast.deployment" -}}
{{- $root := .root }}
{{- $values := .values }}
{{- $selector := include "holdfast.selector" (list $root .component) }}
{{- $env := printf "%s\n%s" (include "holdfast.env" $root) .env }}
{{- include "holdfast.demandWorkingPods" (dict "component" .component "values" $values "env" $env) }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: holdfast-{{ .component }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "holdfast.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  replicas: {{ $values.replicas }}
  revisionHistoryLimit: 3
  selector:
    matchLabels:
      {{- $selector | nindent 6 }}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  template:
    metadata:
      labels:
        {{- $selector | nindent 8 }}
        {{- with $values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        kubectl.kubernetes.io/default-container: {{ .component }}
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      {{- include "holdfast.podSpec" (dict "root" $root "values" $values) | nindent 6 }}
      {{- if $values.topologySpreadConstraints }}
      topologySpreadConstraints:
        {{- toYaml $values.topologySpreadConstraints | nindent 8 }}
      {{- else if $values.topologySpread }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- $selector | nindent 14 }}
      {{- end }}
      terminationGracePeriodSeconds: 30
      containers:
        - name: {{ .component }}
          {{- include "holdfast.container" $root | nindent 10 }}
          env:
            {{- $env | nindent 12 }}
            {{- with $values.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          ports:
            - name: https
              containerPort: 3000
            - name: metrics
              containerPort: 9090
          startupProbe:
            {{- include "holdfast.probe" . | nindent 12 }}
            periodSeconds: 1
            failureThreshold: 90
          readinessProbe:
            {{- include "holdfast.probe" . | nindent 12 }}
            periodSeconds: 5
          livenessProbe:
            {{- include "holdfast.probe" . | nindent 12 }}
            periodSeconds: 10
            failureThreshold: 6
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          volumeMounts:
            - name: tls
              mountPath: /etc/certs
              readOnly: true
            - name: tmp
              mountPath: /tmp
      volumes:
        - name: tls
          secret:
            secretName: {{ include "holdfast.tlsSecret" $root }}
            defaultMode: 0440
        - name: tmp
          emptyDir: {}
{{- end }}

{{/* Where a pod may run, and as whom. Takes a dict: root, values, serviceAccount (the operator's, when left out). */}}
{{- define "holdfast.podSpec" -}}
serviceAccountName: {{ .serviceAccount | default "holdfast" }}
automountServiceAccountToken: true
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile:
    type: RuntimeDefault
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
nodeSelector:
  kubernetes.io/os: linux
  {{- with .values.nodeSelector }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Image and rights of a container, fit for the Pod Security Standard "restricted". */}}
{{- define "holdfast.container" -}}
image: {{ include "holdfast.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{- define "holdfast.env" -}}
- name: POD_NAMESPACE
  valueFrom:
    fieldRef:
      fieldPath: metadata.namespace
- name: LOG_LEVEL
  value: {{ .Values.logLevel }}
{{- end }}

{{- define "holdfast.probe" -}}
httpGet:
  path: /healthz
  port: https
  scheme: HTTPS
timeoutSeconds: 5
{{- end }}

{{/* Takes a dict: root, component, values. */}}
{{- define "holdfast.podDisruptionBudget" -}}
{{- if and .values.podDisruptionBudget (gt (int .values.replicas) 1) }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: holdfast-{{ .component }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "holdfast.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  minAvailable: 1
  # A pod that is not ready keeps nothing up: it must not hold a drain up either.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "holdfast.selector" (list .root .component) | nindent 6 }}
{{- end }}
{{- end }}
