{{/* Fails for values that would install something that cannot work. */}}
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
{{- if and $v.nats.enabled $v.nats.url }}{{ fail "nats.url: nats.enabled runs other servers; set one of the two" }}{{ end }}
{{- $wallet := $v.config.wallet | default dict }}
{{- $provider := ($wallet.key | default dict).provider | default "age" }}
{{- if and $many (eq $provider "age") (not $v.walletKey.existingSecret) }}{{ fail "walletKey.existingSecret: name a Secret with an age identity (age-keygen), or a KMS in config.wallet.key" }}{{ end }}
{{- if and (eq $provider "vault") (not ($wallet.key | default dict).file) (not (hasKey $v.secretEnv "VAULT_TOKEN")) }}{{ fail "secretEnv.VAULT_TOKEN: config.wallet.key is in Vault, and nothing holds its token" }}{{ end }}
{{- if $v.ingress.enabled }}{{ if or (not $v.ingress.host) (and $v.frame.enabled (not $v.ingress.frameHost)) }}{{ fail "ingress.host and ingress.frameHost: name both" }}{{ end }}{{ end }}
{{- if $v.gatewayAPI.enabled }}{{ if or (not $v.gatewayAPI.host) (and $v.frame.enabled (not $v.gatewayAPI.frameHost)) (not $v.gatewayAPI.parentRefs) }}{{ fail "gatewayAPI.host, gatewayAPI.frameHost and gatewayAPI.parentRefs: name all" }}{{ end }}{{ end }}
{{- range $key := include "hawser.secretSettings" . | fromYamlArray }}
{{- $at := $v.config }}
{{- range $part := splitList "." $key }}{{ if kindIs "map" $at }}{{ $at = get $at $part }}{{ else }}{{ $at = "" }}{{ end }}{{ end }}
{{- range $text := kindIs "slice" $at | ternary $at (list $at) }}
{{- if and $text (not (hasPrefix "file:" (toString $text))) }}{{ fail (printf "config.%s: it is a secret; put it in a Secret, and name that in secretEnv or secretFiles" $key) }}{{ end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Settings that are secret as a whole. Those that hold URLs with ${NAME} are not. */}}
{{- define "hawser.secretSettings" -}}
- store.dsn
- bus.url
- bundler.executors
- bundler.paymaster.signer
- names.ens.keys
- onramp.coinbase.key_secret
- onramp.coinbase.webhook_secret
- onramp.meld.api_key
- onramp.meld.webhook_secret
- sandbox.treasury
- sandbox.solana_treasury
- sandbox.webhook_secret
- wallet.mail.password
- wallet.social.google.client_secret
- wallet.social.x.client_secret
- wallet.social.discord.client_secret
- wallet.social.github.client_secret
- wallet.social.facebook.client_secret
- wallet.social.apple.key
{{- end }}
