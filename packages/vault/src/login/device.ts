/** How the server describes this device to its user. */
export interface DeviceDescription {
  /** Such as `Firefox 141`. */
  readonly browser: string
  /** Such as `Android`. */
  readonly system: string
  /** Origin of the page that embeds the frame. */
  readonly site: string
}

/** In this order: browsers name the engine that they are built on as well. */
const browsers: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
]

const systems: readonly (readonly [string, RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** Describes a browser by its user agent. */
export function describeDevice(userAgent: string, site: string): DeviceDescription {
  const [name, pattern] = browsers.find(([, known]) => known.test(userAgent)) ?? []
  const version = pattern?.exec(userAgent)?.[1]
  return {
    browser: name && version ? `${name} ${version}` : 'Unknown browser',
    system: systems.find(([, known]) => known.test(userAgent))?.[0] ?? 'Unknown system',
    site,
  }
}

/** Returns the name of a device for its user, of at most 64 characters. */
export function labelOfDevice({ browser, system }: DeviceDescription): string {
  return `${browser} on ${system}`.slice(0, 64)
}
