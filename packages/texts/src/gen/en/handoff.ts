// Generated from packages/texts/languages by make generate. Do not edit.

/** The texts of the wallet page. */
export const handoff = {
  title: 'Connect your wallet',
  /** Stands for the site where it has no name. */
  site: 'the site',
  loading: 'Loading...',
  tryAgain: 'Try again',
  finding: { title: 'Looking for your wallet' },
  noWallet: { title: 'No wallet here', text: 'This browser has no wallet. Open this link in the browser of your wallet app.', copy: 'Copy link', copied: 'Link copied', notCopied: 'Copy the link from here:' },
  choosing: { title: 'Which wallet do you want to use?' },
  taken: { title: 'Opened elsewhere first', text: 'Another device opened this link before this one. If that wasn’t you, confirm nothing on the other screen. Get a new code on the site.' },
  expired: { title: 'This link has expired', text: 'Get a new code on the site, and scan it.' },
  unreached: { title: 'Couldn’t connect', text: 'Check your connection and try again.' },
  comparing: { title: 'Compare the numbers', asks: (site: string) => `${site} wants to connect to your wallet.`, number: 'Your number', question: 'Does the other screen show the same number?', confirm: 'Yes, it’s the same', differ: 'No, they differ', waiting: 'Waiting for the other screen...' },
  waiting: { title: 'Confirm on the other screen', text: 'Then your wallet asks you which account to share.' },
  asking: { title: 'Continue in your wallet', text: (site: string) => `Your wallet asks which account to share with ${site}.` },
  declined: { title: 'Not connected', differ: 'The numbers differ, so someone else may have opened the link. Nothing was shared. Get a new code on the site.', text: 'Nothing was shared with the site.', unsupported: 'Your wallet has no network that the site uses.' },
  connected: { title: 'Connected', keepOpen: 'Keep this page open while you use the site.', account: 'Account', network: 'Network', wallet: 'Wallet', disconnect: 'Disconnect', disconnectFrom: (site: string) => `Disconnect from ${site}`, notStored: 'This browser stores nothing. The connection ends when this page is closed.', lost: 'Connection lost. Reconnecting...', resumed: 'Connected again', others: 'Other sites' },
  ended: { title: 'Disconnected', text: 'To connect again, get a new code on the site.' },
  request: { kind: { message: 'Sign a message', data: 'Sign data', send: 'Send a transaction', transaction: 'Sign a transaction', permission: 'Give a permission', other: 'Request' }, asks: (site: string) => `${site} asks for this.`, give: 'Continue in your wallet', reject: 'Reject', given: 'Confirm in your wallet', more: (count: number) => count === 1 ? '1 more request waits' : `${count} more requests wait`, done: 'Done. You can go on at the site.', refused: 'Declined. Nothing was signed.', failed: 'Your wallet couldn’t do this.', lost: 'The page was loaded again while your wallet was asked. Look in your wallet whether it was done.' },
  preview: { checking: 'Checking what this does...', unchecked: 'This couldn’t be checked. It may do more than is shown.', fails: 'This would fail.', leaves: 'You send', arrives: 'You receive', mayTake: 'Can spend', mayNoLongerTake: 'Can no longer spend', all: (token: string) => `all ${token}`, tokens: 'tokens', baseUnits: 'base units', to: 'To', amount: 'Amount', message: 'Message', details: 'Details', deploys: 'Deploys a contract' },
} as const
