// Generated from packages/texts/languages by make generate. Do not edit.

/** Texts shown when no wallet is installed. */
export const getWallet = {
  title: 'Get a wallet',
  installTitle: 'Get a wallet',
  installText: 'Install a wallet, then reload this page.',
  phone: 'Use a wallet on your phone',
  openTitle: 'Open in a wallet app',
  openIn: (wallet: string) => `Open in ${wallet}`,
  openText: 'This page opens in the wallet’s own browser. Connect there.',
  onPhone: { title: 'Use your phone', qr: (host: string) => `QR code of this page on ${host}`, text: 'Scan with your phone’s camera, then open this page in your wallet app', loopback: 'This address works on this computer only. A phone needs one it can reach.', copy: 'Copy page address' },
} as const
