const names: Readonly<Record<string, string>> = {
  farcaster: 'Farcaster',
  google: 'Google',
  x: 'X',
  discord: 'Discord',
  github: 'GitHub',
  apple: 'Apple',
  facebook: 'Facebook',
}

/** Returns the name of a social provider. */
export function providerName(id: string): string {
  return names[id] ?? id
}
