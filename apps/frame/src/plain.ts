import { visibleText } from '@hawser/texts/format/visibleText'

/** Returns an email with its domain as mail is sent to it, in ASCII (Punycode): another alphabet has letters that look the same. */
export function visibleEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1
  const domain = email.slice(at)
  // An ASCII domain is shown as it is, and so is what would be more than the host of an address.
  if (/^[!-~]*$|[\s/?#\\:]/.test(domain)) return visibleText(email)
  return visibleText(email.slice(0, at) + hostOf(domain))
}

/** Returns a domain in ASCII. Text that is not a domain is returned unchanged. */
function hostOf(domain: string): string {
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return domain
  }
}
