export interface AlertText {
  /** Shown on the page. */
  readonly title: string
  /** Written to the console; words in braces are filled in. */
  readonly detail: string
}

/** What a developer reads when a site is configured wrongly, word for word. */
export const alerts = {
  networkNotFound: {
    title: 'Network Not Found',
    detail:
      "Network not found - please make sure it is included in 'networks' array in createHawser function",
  },
  originNotAllowed: {
    title: 'Invalid App Configuration',
    detail: 'Origin {origin} not found on Allowlist - update the allowed origins of the project',
  },
  socialsTimeout: {
    title: 'Invalid App Configuration',
    detail: 'There was an issue loading the embedded wallet. Please verify that your domain is allowed',
  },
  invalidProjectId: {
    title: 'Invalid App Configuration',
    detail: 'Invalid Project ID - update configuration',
  },
  sessionExpired: {
    title: 'Session Expired',
    detail: 'Invalid session found - please check your time settings and connect again',
  },
  projectIdNotConfigured: {
    title: 'Project ID Not Configured',
    detail: 'Project ID Not Configured - update configuration',
  },
} as const satisfies Record<string, AlertText>

export type AlertName = keyof typeof alerts
