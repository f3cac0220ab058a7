import { relist } from '../connectors/connectorList.ts'
import type { AccountType } from '../types/account.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'
import type { Features, HawserOptions, OptionsState } from '../types/options.ts'
import { defaultFeatures } from './features.ts'

export const defaultAccountTypes: Readonly<Record<Namespace, AccountType>> = {
  eip155: 'smartAccount',
  solana: 'eoa',
  bip122: 'payment',
  polkadot: 'eoa',
}

export function initialOptions(options: HawserOptions): OptionsState {
  return {
    projectId: options.projectId,
    baseUrl: options.baseUrl,
    metadata: options.metadata ?? {},
    features: { ...defaultFeatures, ...options.features },
    enableNetworkSwitch: options.enableNetworkSwitch ?? true,
    allowUnsupportedChain: options.allowUnsupportedChain ?? false,
    enableWallets: options.enableWallets ?? true,
    enableWalletGuide: options.enableWalletGuide ?? true,
    wcBasic: options.wcBasic ?? false,
    walletLinks: options.walletLinks,
    allWallets: options.allWallets ?? 'SHOW',
    includeWalletIds: options.includeWalletIds ?? [],
    excludeWalletIds: options.excludeWalletIds ?? [],
    featuredWalletIds: options.featuredWalletIds ?? [],
    customWallets: options.customWallets ?? [],
    sdkType: options.sdkType,
    sdkVersion: options.sdkVersion,
    termsConditionsUrl: options.termsConditionsUrl,
    privacyPolicyUrl: options.privacyPolicyUrl,
    defaultAccountTypes: { ...defaultAccountTypes, ...options.defaultAccountTypes },
    onrampCountry: options.onrampCountry,
    restrictedTimezones: options.restrictedTimezones ?? [],
    swapContracts: options.swapContracts ?? {},
    prefetch: options.prefetch ?? true,
    locale: options.locale,
    debug: options.debug ?? false,
    isLegalCheckboxChecked: false,
  }
}

/** Changes features at run time. */
export function updateFeatures(hawser: Hawser, features: Partial<Features>): void {
  hawser.options.setState((state) => ({ features: { ...state.features, ...features } }))
  relist(hawser)
}

/** Records the visitor's consent to the terms, which the feature `legalCheckbox` requires before a connection. */
export function setLegalCheckboxChecked(hawser: Hawser, isLegalCheckboxChecked: boolean): void {
  hawser.options.setState({ isLegalCheckboxChecked })
}

/** Reports whether the legal checkbox is shown and not ticked, so that connecting is not allowed. */
export function isConsentMissing(options: OptionsState): boolean {
  const hasTerms = Boolean(options.termsConditionsUrl || options.privacyPolicyUrl)
  return options.features.legalCheckbox && hasTerms && !options.isLegalCheckboxChecked
}
