import { defaultFeatures, type Features, updateFeatures } from '@hawser/core'
import { useHawser, useHawserState } from '@hawser/react'
import { Switch } from '@hawser/ui'
import { Panel } from '../page/Panel.tsx'

const switches = [
  ['onramp', 'Buy with a card'],
  ['swaps', 'Swap'],
  ['send', 'Send'],
  ['receive', 'Receive'],
  ['smartSessions', 'Smart sessions'],
  ['analytics', 'Count events for the operator'],
  ['email', 'Log in by email'],
  ['emailShowWallets', 'List wallets beside the email'],
  ['collapseWallets', 'Collapse wallets behind one button'],
  ['legalCheckbox', 'Require consent first'],
] as const satisfies readonly (readonly [keyof Features, string])[]

/** Switches parts of the modal on and off. */
export function FeatureSection() {
  const hawser = useHawser()
  const { features, termsConditionsUrl } = useHawserState(hawser.options, (state) => state)
  const shown = switches.filter(([name]) => name !== 'legalCheckbox' || termsConditionsUrl)
  return (
    <Panel wide title="Features" hint="Turn features on and off, then open the modal again.">
      <div className="switches">
        {shown.map(([name, label]) => (
          <Switch
            key={name}
            label={label}
            checked={features[name]}
            data-testid={`feature-${name}`}
            onChange={(on) => updateFeatures(hawser, { [name]: on })}
          />
        ))}
        <Switch
          label="Social logins"
          checked={features.socials !== false}
          data-testid="feature-socials"
          onChange={(on) => updateFeatures(hawser, { socials: on && defaultFeatures.socials })}
        />
        <Switch
          label="Send before receive"
          checked={
            features.walletFeaturesOrder.indexOf('send') < features.walletFeaturesOrder.indexOf('receive')
          }
          data-testid="feature-order"
          onChange={(sendFirst) =>
            updateFeatures(hawser, {
              walletFeaturesOrder: sendFirst
                ? ['onramp', 'swaps', 'send', 'receive']
                : ['onramp', 'swaps', 'receive', 'send'],
            })
          }
        />
      </div>
      {!termsConditionsUrl && (
        <p className="aside">
          Legal texts are off. <a href="?legal=1">Turn them on</a>
        </p>
      )}
    </Panel>
  )
}
