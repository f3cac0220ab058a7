// Generated from packages/texts/languages by make generate. Do not edit.

/** What the frame and the wallet page say of what a site asks. */
export const asks = {
  title: 'What the site asks',
  /** An amount of a token that has no limit. */
  unlimited: (token: string) => `unlimited ${token}`,
  yes: 'Yes',
  no: 'No',
} as const
