// Generated from packages/texts/languages by make generate. Do not edit.

import { pluralsOf } from '../../format/plurals.ts'
import type { HandoffTexts } from '../types.ts'

const plural = pluralsOf('nl')

/** The texts of the wallet page in Dutch. */
export const texts: HandoffTexts = {
  title: 'Wallet verbinden',
  site: 'die Website',
  loading: 'Wird geladen …',
  tryAgain: 'Erneut versuchen',
  finding: { title: 'Ihre Wallet wird gesucht' },
  noWallet: { title: 'Hier ist keine Wallet', text: 'Dieser Browser hat keine Wallet. Öffnen Sie diesen Link im Browser Ihrer Wallet-App.', copy: 'Link kopieren', copied: 'Link kopiert', notCopied: 'Kopieren Sie den Link von hier:' },
  choosing: { title: 'Welche Wallet möchten Sie verwenden?' },
  taken: { title: 'Zuerst woanders geöffnet', text: 'Ein anderes Gerät hat diesen Link vor diesem geöffnet. Wenn Sie das nicht waren, bestätigen Sie auf dem anderen Bildschirm nichts. Fordern Sie auf der Website einen neuen Code an.' },
  expired: { title: 'Dieser Link ist abgelaufen', text: 'Fordern Sie auf der Website einen neuen Code an und scannen Sie ihn.' },
  unreached: { title: 'Verbindung fehlgeschlagen', text: 'Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.' },
  comparing: { title: 'Vergleichen Sie die Zahlen', asks: (site) => `${site} möchte sich mit Ihrer Wallet verbinden.`, number: 'Ihre Zahl', question: 'Zeigt der andere Bildschirm dieselbe Zahl?', confirm: 'Ja, dieselbe', differ: 'Nein, eine andere', waiting: 'Warten auf den anderen Bildschirm …' },
  waiting: { title: 'Bestätigen Sie auf dem anderen Bildschirm', text: 'Danach fragt Ihre Wallet, welches Konto Sie teilen möchten.' },
  asking: { title: 'Weiter in Ihrer Wallet', text: (site) => `Ihre Wallet fragt, welches Konto Sie mit ${site} teilen möchten.` },
  declined: { title: 'Nicht verbunden', differ: 'Die Zahlen unterscheiden sich: Vielleicht hat jemand anderes den Link geöffnet. Es wurde nichts geteilt. Fordern Sie auf der Website einen neuen Code an.', text: 'Mit der Website wurde nichts geteilt.', unsupported: 'Ihre Wallet hat kein Netzwerk, das die Website verwendet.' },
  connected: { title: 'Verbunden', keepOpen: 'Lassen Sie diese Seite geöffnet, während Sie die Website verwenden.', account: 'Konto', network: 'Netzwerk', wallet: 'Wallet', disconnect: 'Trennen', disconnectFrom: (site) => `Von ${site} trennen`, notStored: 'Dieser Browser speichert nichts. Die Verbindung endet, wenn diese Seite geschlossen wird.', lost: 'Verbindung verloren. Sie wird wiederhergestellt …', resumed: 'Wieder verbunden', others: 'Andere Websites' },
  ended: { title: 'Getrennt', text: 'Für eine neue Verbindung fordern Sie auf der Website einen neuen Code an.' },
  request: { kind: { message: 'Nachricht signieren', data: 'Daten signieren', send: 'Transaktion senden', transaction: 'Transaktion signieren', permission: 'Erlaubnis geben', other: 'Anfrage' }, asks: (site) => `${site} bittet darum.`, give: 'Weiter in Ihrer Wallet', reject: 'Ablehnen', given: 'Bestätigen Sie in Ihrer Wallet', more: (count) => plural(count, { one: '1 weitere Anfrage wartet', other: `${count} weitere Anfragen warten` }), done: 'Erledigt. Sie können auf der Website weitermachen.', refused: 'Abgelehnt. Es wurde nichts signiert.', failed: 'Ihre Wallet konnte das nicht ausführen.', lost: 'Die Seite wurde neu geladen, während Ihre Wallet gefragt wurde. Sehen Sie in Ihrer Wallet nach, ob es ausgeführt wurde.' },
  preview: { checking: 'Es wird geprüft, was das bewirken würde …', unchecked: 'Das konnte nicht geprüft werden. Es bewirkt vielleicht mehr als angezeigt.', fails: 'Das würde fehlschlagen.', leaves: 'Sie senden', arrives: 'Sie erhalten', mayTake: 'Darf ausgeben', mayNoLongerTake: 'Darf nicht mehr ausgeben', all: (token) => `alle ${token}`, tokens: 'Tokens', baseUnits: 'Basiseinheiten', to: 'An', amount: 'Betrag', message: 'Nachricht', details: 'Einzelheiten', deploys: 'Erstellt einen Contract' },
}
