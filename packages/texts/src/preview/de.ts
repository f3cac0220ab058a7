import type { WarningTexts } from './warningTexts.ts'

/** What the warnings and reasons of a preview say in German. */
export const warnings: WarningTexts = {
  unknownAccount: 'ein unbekanntes Konto',
  sentences: {
    DRAINS: 'Fast alles, was Sie davon haben, würde ohne Gegenleistung an dieses Ziel gehen: {value}.',
    HIDDEN_TRANSFER: 'Von Ihrem Konto würde mehr abgehen, als die Anfrage sagt. Das Ziel: {value}.',
    HIDDEN_NEARLY_ALL:
      'Fast alles, was Sie davon haben, würde an dieses Ziel gehen: {value}. Vergleichen Sie es mit dem, was Sie erhalten würden.',
    HIDDEN_PART:
      'Was Sie senden, geht an dieses Ziel: {value}. Vergleichen Sie es mit dem, was Sie erhalten.',
    UNLIMITED_APPROVAL: '{value} könnte jederzeit alles entnehmen, was Sie von diesem Token haben.',
    APPROVAL_FOR_ALL: '{value} könnte jederzeit jeden Token dieser Sammlung entnehmen.',
    SIGNED_APPROVAL:
      'Allein diese Signatur lässt {value} Tokens entnehmen. Eine Transaktion von Ihnen ist nicht nötig.',
    SPENDER_PERSON: '{value} ist das Konto einer Person, kein Contract.',
    SPENDER_PERSON_NOT_PROGRAM: '{value} ist das Konto einer Person, nicht das eines Programms.',
    CODE_REPLACED: 'Der Code dieses Contracts würde durch den Code unter {value} ersetzt.',
    CONTRACT_GIVEN: 'Dieser Contract würde {value} gehören.',
    UNKNOWN_CODE: 'Ihr Konto würde unbekannten Code ausführen. Er könnte alles entnehmen, was Ihnen gehört.',
    IMITATION: 'Dieser Token ahmt einen anderen nach oder wirbt für eine Website. Er ist vielleicht wertlos.',
    REVERTS: 'Das würde fehlschlagen und seine Gebühr kosten.',
    NOT_SIMULATED: 'Das konnte nicht simuliert werden. Es bewirkt vielleicht mehr als angezeigt.',
    UNKNOWN_FUNCTION: 'Was hier aufgerufen wird, ist nicht bekannt.',
    UNKNOWN_PROGRAM: 'Hier läuft ein unbekanntes Programm. Nach dem Senden tut es vielleicht etwas anderes.',
    DELEGATION: '{value} könnte für Ihr Konto handeln.',
    OPERATION: 'Mit dieser Signatur kann jeder diese Aufrufe für Ihr Konto senden.',
    DURABLE_NONCE:
      'Diese Signatur läuft nicht ab. Sie kann jederzeit später gesendet werden und dann mehr bewirken als angezeigt.',
    ORDER: 'Das bietet zum Verkauf an, was Ihnen gehört. Prüfen Sie, was Sie erhalten würden.',
    OTHER_SITE: 'Das meldet Sie bei {value} an. Das ist nicht die Website, die es anfordert.',
    OTHER_CHAIN: 'Das ist für ein anderes Netzwerk, mit der Chain-ID {value}.',
    BLIND: 'Was hier signiert wird, kann nicht gezeigt werden. Es könnte alles sein.',
    ACCOUNT_GIVEN:
      'Ihr Konto selbst würde dem Programm {value} gehören. Sie könnten es nicht mehr verwenden.',
    TOKEN_ACCOUNT_GIVEN: 'Ihr Token-Konto würde mit allem, was darin ist, {value} gehören.',
    CLOSING_GIVEN: '{value} könnte Ihr Token-Konto schließen und dessen SOL nehmen.',
    AUTHORITY_LOST: 'Sie würden ein Recht an diesem Token verlieren.',
    STAKE_GIVEN: '{value} könnte alles abheben, was dieses Konto von Ihnen hält.',
    ACCOUNT_CLOSED: 'Ihr Token-Konto würde geschlossen. Dessen SOL würden an dieses Ziel gehen: {value}.',
    BEHAVES_DIFFERENTLY:
      'Das verhält sich anders, wenn es beobachtet wird. Nach dem Senden tut es vielleicht etwas anderes als angezeigt.',
    MAY_KEEP: 'Dieser Contract ist nicht bekannt. Er behält vielleicht bis zu {value}.',
    REVERTS_UNKNOWN:
      'Das würde jetzt fehlschlagen. Der Contract ist nicht bekannt und tut nach dem Senden vielleicht etwas anderes.',
    SPENDER_PUBLIC: 'Jeder kann {value} Befehle geben. Wer zuerst kommt, könnte entnehmen, was Sie erlauben.',
    UNKNOWN_STATEMENT: 'Was diese Signatur erlaubt, ist nicht zu verstehen.',
    TRANSFER_ELSEWHERE: 'Das bewegt, was Sie bei einem anderen Dienst haben. Das Ziel: {value}.',
    OTHER_NETWORK:
      'Diese Transaktion ist nicht für dieses Netzwerk, oder sie ist abgelaufen. Sie kann in einem anderen Netzwerk gesendet werden, in dem sie nicht simuliert wurde.',
    NOT_GUARANTEED:
      'Fast alles, was Sie davon haben, würde an dieses Ziel gehen: {value}. Die Anfrage garantiert nicht, was Sie erhalten würden.',
    TABLE_INCOMPLETE:
      'Eine Tabelle enthält noch nicht alle Konten dieser Transaktion. Nach dem Senden nennt sie vielleicht andere als angezeigt.',
    BORROWS: '{value} könnte in Ihrem Namen Kredit aufnehmen. Die Schulden wären Ihre.',
    OPERATION_OF_OTHER: 'Mit dieser Signatur kann jeder Aufrufe für das Konto {value} senden.',
    TOO_MUCH: 'Das bewirkt mehr, als gezeigt werden kann.',
  },
  causes: {
    CHAIN_UNAVAILABLE: 'Das Netzwerk antwortet nicht',
    UNSUPPORTED: 'Die Knoten des Netzwerks können das nicht simulieren',
    NATIVE_LOW: 'Das Konto hat zu wenig von der Währung des Netzwerks',
    FEE_LOW: 'Das Konto, das die Gebühr zahlt, hat dafür zu wenig',
    TOKEN_LOW: 'Das Konto hat zu wenig von dem Token',
    RENT_LOW: 'Einem Konto bliebe zu wenig, um bestehen zu können',
    EXPIRED: 'Diese Transaktion ist abgelaufen',
    ALREADY_SENT: 'Diese Transaktion wurde bereits gesendet',
    FROZEN: 'Das Token-Konto ist eingefroren',
    MALFORMED: 'Die Transaktion ist fehlerhaft aufgebaut',
    TOO_LARGE: 'Die Transaktion ist zu groß für einen Block',
    OTHER_NETWORK: 'Die Transaktion ist nicht für dieses Netzwerk, oder sie ist abgelaufen',
  },
}
