{{/* Fails for values with which the installation could not work. */}}
{{- define "hawser.check" -}}
{{- $v := .Values }}
{{- $many := or (eq $v.mode "split") $v.postgres.existingSecret }}
{{- if not $v.postgres.existingSecret }}
{{- if eq $v.mode "split" }}{{ fail "postgres.existingSecret: mode split needs PostgreSQL; name a Secret with its URL" }}{{ end }}
{{- if not $v.persistence.enabled }}{{ fail "postgres.existingSecret: name a Secret with the URL of PostgreSQL, or set persistence.enabled to keep everything in SQLite on the volume of one pod" }}{{ end }}
{{- range $name, $group := include "hawser.groups" . | fromYaml }}
{{- if or $group.autoscaling.enabled (gt (int $group.replicas) 1) }}{{ fail (printf "single.%s.replicas: without PostgreSQL there can be one pod only" $name) }}{{ end }}
{{- end }}
{{- else }}
{{- if $v.persistence.enabled }}{{ fail "persistence.enabled: with PostgreSQL no pod keeps anything; leave it off" }}{{ end }}
{{- if not (or $v.nats.enabled $v.nats.url) }}{{ fail "nats.url: pods that share a database need NATS; set nats.enabled, or name servers" }}{{ end }}
{{- end }}
{{- range $name, $group := include "hawser.groups" . | fromYaml }}
{{- if and $group.autoscaling.enabled (not $group.autoscaling.cpu) (not $group.autoscaling.pods) }}{{ fail (printf "%s.%s.autoscaling: set cpu or pods, by which the number of pods is chosen" $v.mode $name) }}{{ end }}
{{- range $metric, $average := $group.autoscaling.pods }}
{{- if not (regexMatch "^[1-9][0-9]*(\\.0+)?([eE][+]?[0-9]+)?[kMG]?$" ($average | toString)) }}{{ fail (printf "%s.%s.autoscaling.pods.%s: the average for a pod is a number, as 5000" $v.mode $name $metric) }}{{ end }}
{{- end }}
{{- end }}
{{- if and $v.removals.enabled $v.persistence.enabled }}{{ fail "removals.enabled: the lists are on the volume of the only pod already; leave it off" }}{{ end }}
{{- if not (regexMatch "^(always|[1-9][0-9]*(ms|s|m))$" $v.nats.syncInterval) }}{{ fail "nats.syncInterval: write always, or an interval as 10s" }}{{ end }}
{{- if and (ne $v.nats.syncInterval "always") (lt (int $v.nats.replicas) 3) }}{{ fail "nats.syncInterval: one server that flushes at an interval loses what it has acknowledged when it loses power; leave always, or set nats.replicas to 3" }}{{ end }}
{{- if and $v.nats.enabled $v.nats.url }}{{ fail "nats.url: nats.enabled runs other servers; set one of the two" }}{{ end }}
{{- $wallet := $v.config.wallet | default dict }}
{{- $provider := ($wallet.key | default dict).provider | default "age" }}
{{- if and $many (eq $provider "age") (not $v.walletKey.existingSecret) }}{{ fail "walletKey.existingSecret: name a Secret with an age identity (age-keygen), or a KMS in config.wallet.key" }}{{ end }}
{{- if and (eq $provider "vault") (not ($wallet.key | default dict).file) (not (hasKey $v.secretEnv "VAULT_TOKEN")) }}{{ fail "secretEnv.VAULT_TOKEN: config.wallet.key is in Vault, and nothing holds its token" }}{{ end }}
{{- if $v.ingress.enabled }}{{ if or (not $v.ingress.host) (and $v.frame.enabled (not $v.ingress.frameHost)) }}{{ fail "ingress.host and ingress.frameHost: name both" }}{{ end }}{{ end }}
{{- if $v.gatewayAPI.enabled }}{{ if or (not $v.gatewayAPI.host) (and $v.frame.enabled (not $v.gatewayAPI.frameHost)) (not $v.gatewayAPI.parentRefs) }}{{ fail "gatewayAPI.host, gatewayAPI.frameHost and gatewayAPI.parentRefs: name all" }}{{ end }}{{ end }}
{{- $gateway := $v.config.gateway | default dict }}
{{- $trusts := ternary $gateway.trust_forwarded_for (or $v.ingress.enabled $v.gatewayAPI.enabled) (hasKey $gateway "trust_forwarded_for") }}
{{- if and $trusts (ne $v.service.type "ClusterIP") (not $v.networkPolicy.ingressFrom) (not $gateway.trusted_hops) }}{{ fail "service.type: who reaches the gateway without the proxy chooses the address that is limited; set service.type to ClusterIP, name the proxy in networkPolicy.ingressFrom, or say in config.gateway.trusted_hops how many proxies are in front" }}{{ end }}
{{- range $key := include "hawser.secretSettings" . | fromYamlArray }}
{{- range include "hawser.at" (prepend (splitList "." $key) $v.config) | fromYamlArray }}
{{- if not (hasPrefix "file:" .) }}{{ fail (printf "config.%s: it is a secret; put it in a Secret, and name that in secretEnv or secretFiles" $key) }}{{ end }}
{{- end }}
{{- end }}
{{- range $key := include "hawser.secretKeys" . | fromYamlArray }}
{{- range include "hawser.at" (prepend (splitList "." $key) $v.config) | fromYamlArray }}
{{- if not (regexMatch "^\\$\\{[A-Za-z0-9_]+\\}$" .) }}{{ fail (printf "config.%s: it is a secret; put it in a Secret, name that in secretEnv as NAME, and write ${NAME} here" $key) }}{{ end }}
{{- end }}
{{- end }}
{{- range $key := include "hawser.secretURLs" . | fromYamlArray }}
{{- range include "hawser.at" (prepend (splitList "." $key) $v.config) | fromYamlArray }}
{{- if include "hawser.hasSecret" . }}{{ fail (printf "config.%s: it has a key or a password; put that in a Secret, name it in secretEnv as NAME, and write ${NAME} in its place" $key) }}{{ end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Not empty for a URL with a password or a name before @, with a query, or with a long part after the host that has a digit, as keys have, unless ${NAME} stands
there. */}}
{{- define "hawser.hasSecret" -}}
{{- $variable := `\$\{[A-Za-z0-9_]+\}` }}
{{- $rest := regexReplaceAll $variable . "" }}
{{- if and (contains "@" $rest) (not (regexMatch `^[a-z]+://([^/?#@:]*:)?@[^@]*$` $rest)) }}yes{{ end }}
{{- if and (contains "?" .) (not (regexMatch (print `\?.*` $variable) .)) }}yes{{ end }}
{{- range regexFindAll `[A-Za-z0-9_-]{20,}` (regexReplaceAll `^[a-z]+://[^/?#]*` $rest "") -1 }}{{ if regexMatch "[0-9]" . }}yes{{ end }}{{ end }}
{{- end }}

{{/* Texts of config at a path, where * is every key: (list config part...). */}}
{{- define "hawser.at" -}}
{{- $at := first . }}{{ $path := rest . }}
{{- if kindIs "slice" $at }}
{{- range $at }}{{ include "hawser.at" (prepend $path .) }}{{ end }}
{{- else if and $path (kindIs "map" $at) }}
{{- range $key, $value := $at }}
{{- if or (eq (first $path) "*") (eq (first $path) $key) }}{{ include "hawser.at" (prepend (rest $path) $value) }}{{ end }}
{{- end }}
{{- else if and $at (not $path) }}
- {{ toString $at | toJson }}
{{- end }}
{{- end }}

{{/* Settings that are secret as a whole. A test of gateway/cmd/hawser compares these three lists with the settings that the code marks as secret. */}}
{{- define "hawser.secretSettings" -}}
- chains.cache.dsn
- store.dsn
- bus.url
- bundler.executors
- bundler.paymaster.signer
- console.oidc.client_secret
- names.ens.keys
- onramp.coinbase.key_secret
- onramp.coinbase.webhook_secret
- onramp.meld.api_key
- onramp.meld.webhook_secret
- wallet.mail.password
- wallet.social.google.client_secret
- wallet.social.x.client_secret
- wallet.social.discord.client_secret
- wallet.social.github.client_secret
- wallet.social.facebook.client_secret
- wallet.social.apple.key
{{- end }}

{{/* Settings that are secret as a whole, in which ${NAME} is taken from the environment. */}}
{{- define "hawser.secretKeys" -}}
- convert.vendors.*.key
{{- end }}

{{/* URLs that may have a key, or a password. */}}
{{- define "hawser.secretURLs" -}}
- activity.archives.*
- balances.prices.vendor_url
- bundler.chains.*.url
- chains.nodes.*
- convert.vendors.*.url
{{- end }}
