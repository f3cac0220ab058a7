// Generated from packages/texts/languages by make generate. Do not edit.

import { pluralsOf } from '../../format/plurals.ts'
import type { HandoffTexts } from '../types.ts'

const plural = pluralsOf('it')

/** The texts of the wallet page in Italian. */
export const texts: HandoffTexts = {
  title: 'Collega il tuo wallet',
  site: 'il sito',
  loading: 'Caricamento…',
  tryAgain: 'Riprova',
  finding: { title: 'Ricerca del tuo wallet' },
  noWallet: { title: 'Nessun wallet qui', text: 'Questo browser non ha un wallet. Apri questo link nel browser della tua app wallet.', copy: 'Copia link', copied: 'Link copiato', notCopied: 'Copia il link da qui:' },
  choosing: { title: 'Quale wallet vuoi usare?' },
  taken: { title: 'Già aperto altrove', text: 'Un altro dispositivo ha aperto questo link prima di questo. Se non eri tu, non confermare nulla sull’altro schermo. Richiedi un nuovo codice sul sito.' },
  expired: { title: 'Questo link è scaduto', text: 'Richiedi un nuovo codice sul sito e scansionalo.' },
  unreached: { title: 'Connessione non riuscita', text: 'Controlla la connessione e riprova.' },
  comparing: { title: 'Confronta i numeri', asks: (site) => `${site} vuole collegarsi al tuo wallet.`, number: 'Il tuo numero', question: 'L’altro schermo mostra lo stesso numero?', confirm: 'Sì, è lo stesso', differ: 'No, è diverso', waiting: 'In attesa dell’altro schermo…' },
  waiting: { title: 'Conferma sull’altro schermo', text: 'Poi il wallet ti chiederà quale account condividere.' },
  asking: { title: 'Continua nel tuo wallet', text: (site) => `Il wallet ti chiede quale account condividere con ${site}.` },
  declined: { title: 'Non connesso', differ: 'I numeri sono diversi: forse qualcun altro ha aperto il link. Non è stato condiviso nulla. Richiedi un nuovo codice sul sito.', text: 'Non è stato condiviso nulla con il sito.', unsupported: 'Il tuo wallet non ha nessuna delle reti usate dal sito.' },
  connected: { title: 'Connesso', keepOpen: 'Tieni aperta questa pagina mentre usi il sito.', account: 'Account', network: 'Rete', wallet: 'Wallet', disconnect: 'Disconnetti', disconnectFrom: (site) => `Disconnetti ${site}`, notStored: 'Questo browser non salva nulla. La connessione termina quando si chiude questa pagina.', lost: 'Connessione persa. Riconnessione…', resumed: 'Di nuovo connesso', others: 'Altri siti' },
  ended: { title: 'Disconnesso', text: 'Per collegarti di nuovo, richiedi un nuovo codice sul sito.' },
  request: { kind: { message: 'Firma un messaggio', data: 'Firma dati', send: 'Invia una transazione', transaction: 'Firma una transazione', permission: 'Concedi un permesso', other: 'Richiesta' }, asks: (site) => `${site} chiede questa operazione.`, give: 'Continua nel tuo wallet', reject: 'Rifiuta', given: 'Conferma nel tuo wallet', more: (count) => plural(count, { one: '1 altra richiesta in attesa', other: `Altre ${count} richieste in attesa` }), done: 'Fatto. Puoi continuare sul sito.', refused: 'Rifiutato. Non è stato firmato nulla.', failed: 'Il tuo wallet non è riuscito a farlo.', lost: 'La pagina è stata ricaricata durante la richiesta al wallet. Controlla nel wallet se è stata eseguita.' },
  preview: { checking: 'Verifica degli effetti…', unchecked: 'Verifica non riuscita. Gli effetti potrebbero essere più di quelli mostrati.', fails: 'Questa operazione non riuscirebbe.', leaves: 'Invii', arrives: 'Ricevi', mayTake: 'Può spendere', mayNoLongerTake: 'Non può più spendere', all: (token) => `tutti i ${token}`, tokens: 'token', baseUnits: 'unità di base', to: 'A', amount: 'Importo', message: 'Messaggio', details: 'Dettagli', deploys: 'Crea un contratto' },
}
