// Generated from packages/texts/languages by make generate. Do not edit.

/** The texts of smart sessions. */
export const sessions = {
  created: { title: 'Smart session created', text: 'You can manage your session from your account settings.', done: 'Done', question: 'What’s a smart session?', answer: 'It lets a site act for your account within limits you set, without asking each time. Contracts enforce the limits: neither the site nor this page can exceed them. You can revoke a session at any time.' },
  list: 'Smart sessions',
  tabs: { active: 'Active', expired: 'Expired', revoked: 'Revoked' },
  unread: { title: 'See what sites can do with your account', text: 'Sign to prove that you own this account. Nothing is sent.', action: 'Show sessions' },
  loading: 'Loading smart sessions',
  failed: 'Error fetching smart sessions',
  empty: { active: 'No active sessions', expired: 'No expired sessions', revoked: 'No revoked sessions' },
  unnamed: 'Unknown site',
  revoking: 'Revoking',
  revokingText: 'Revoked here. The session works until the network confirms this.',
  rows: { type: 'Type', contractCall: 'Contract call', payments: 'Payments', contract: 'Contract', functions: 'Functions', spent: 'Spent', spentUnknown: 'Unknown', limit: 'Limit', renews: 'Renews', uses: 'Uses', duration: 'Duration', expires: 'Expiring date', network: 'Network' },
  spentOf: (spent: string, allowed: string) => `${spent} of ${allowed}`,
  limit: (allowed: string, every: string) => `${allowed} ${every}`,
  every: { day: (count: number) => count === 1 ? 'every day' : `every ${count} days`, hour: (count: number) => count === 1 ? 'every hour' : `every ${count} hours`, minute: (count: number) => count === 1 ? 'every minute' : `every ${count} minutes`, second: (count: number) => count === 1 ? 'every second' : `every ${count} seconds` },
  hours: (hours: number) => `~ ${hours} hours`,
  revoke: 'Revoke',
} as const
