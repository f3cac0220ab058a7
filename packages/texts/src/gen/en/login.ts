// Generated from packages/texts/languages by make generate. Do not edit.

/** Texts of the logins and of the embedded wallet. */
export const login = {
  email: 'Email',
  submitEmail: 'Continue with email',
  invalidEmail: 'Invalid email. Try again.',
  continueWith: (social: string) => `Continue with ${social}`,
  moreSocials: 'More socials',
  socials: 'Social logins',
  code: { label: 'Six-digit code', sentTo: 'Enter the code we sent to', expires: 'The code expires in 10 minutes', wrong: (message: string) => `${message}. Try Again`, verifying: 'Verifying the code', question: 'Didn’t receive it?', resend: 'Resend code', resendIn: (seconds: number) => `Resend in ${seconds}s`, trouble: 'Something wrong?', retryIn: (seconds: number) => `Try again in ${seconds}s`, retry: 'Try again' },
  device: { approve: 'Approve the login link we sent to', compare: 'The link’s page shows the same words:', expires: 'The link expires in 10 minutes', resend: 'Resend email' },
  social: { title: (social: string) => `Log in with ${social}`, window: 'Connect in the provider window', closed: 'The window was closed. If you have logged in there, wait a moment.', left: 'You closed the window', leftText: 'If it is still open, you can go on there.', cancelled: 'You cancelled', cancelledText: 'You are not logged in.', otherWays: 'Other ways', blocked: 'Your browser blocked the window.', open: (social: string) => `Open ${social}`, retrieving: 'Retrieving user data', failed: 'Something went wrong' },
  farcaster: { scan: 'Scan this QR Code with your phone', qr: 'QR code that logs in with Farcaster', preparing: 'Preparing the code', continue: 'Continue in Farcaster', accept: 'Accept the connection request in the app', open: 'Open Farcaster', loading: 'Loading user data', loadingText: 'Please wait a moment while we load your data.' },
  change: { label: 'Email', save: 'Save', cancel: 'Cancel' },
  upgrade: { card: 'Move to another wallet', cardText: 'Use your 24 words in another app', follow: 'Follow the instructions on', reconnect: 'Then connect here with the other wallet' },
  account: { list: 'Login and security', email: 'Email', via: (social: string) => `Logged in with ${social}`, backup: 'Back up your wallet', backupText: 'Only this browser can open it. Add a passkey or a password.', tab: 'Your login ends with this tab', tabText: 'This browser does not let the wallet store anything. Log in again after you close or reload this tab.', security: 'Security and sessions', securityText: 'Backups, devices, recovery kit and sessions', toSmartAccount: 'Switch to your smart account', toEoa: 'Switch to your standard account', types: { eoa: 'Standard account', smartAccount: 'Smart account' } },
  approve: 'Review the request in your wallet',
} as const
