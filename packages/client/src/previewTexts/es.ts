import type { WarningTexts } from './warningTexts.ts'

/** What the warnings of a preview say in Spanish. */
export const warnings: WarningTexts = {
  unknownAccount: 'una cuenta desconocida',
  sentences: {
    DRAINS: 'Casi todo lo que tienes de esto iría a {value}, a cambio de nada.',
    HIDDEN_TRANSFER: 'De tu cuenta saldría más de lo que dice la solicitud: iría a {value}.',
    HIDDEN_NEARLY_ALL: 'Casi todo lo que tienes de esto iría a {value}. Compáralo con lo que recibirías.',
    HIDDEN_PART: 'Esto iría a {value}, lo que la solicitud no dice. Compáralo con lo que recibirías.',
    UNLIMITED_APPROVAL: '{value} podría tomar todo lo que tienes de este token, en cualquier momento.',
    APPROVAL_FOR_ALL: '{value} podría tomar todos los tokens de esta colección, en cualquier momento.',
    SIGNED_APPROVAL:
      'Esta firma por sí sola permite que {value} tome tokens. No hace falta ninguna transacción tuya.',
    SPENDER_PERSON: '{value} es la cuenta de una persona, no un contrato.',
    SPENDER_PERSON_NOT_PROGRAM: '{value} es la cuenta de una persona, no de un programa.',
    CODE_REPLACED: 'El código de este contrato se sustituiría por el código de {value}.',
    CONTRACT_GIVEN: 'Este contrato pertenecería a {value}.',
    UNKNOWN_CODE: 'Tu cuenta ejecutaría código desconocido. Podría tomar todo lo que tienes.',
    IMITATION: 'Este token imita a otro o anuncia un sitio. Puede no valer nada.',
    REVERTS: 'Esto fallaría y costaría su tarifa.',
    NOT_SIMULATED: 'No se pudo simular. Puede hacer más de lo que se muestra.',
    UNKNOWN_FUNCTION: 'No se sabe lo que se llama aquí.',
    UNKNOWN_PROGRAM: 'Esto ejecuta un programa desconocido. Puede hacer otra cosa una vez enviado.',
    DELEGATION: '{value} podría actuar por tu cuenta.',
    OPERATION: 'Esta firma permite que cualquiera envíe estas llamadas por tu cuenta.',
    DURABLE_NONCE:
      'Esta firma no caduca. Se puede enviar en cualquier momento posterior y entonces puede hacer más de lo que se muestra.',
    ORDER: 'Esto pone en venta lo que tienes. Comprueba lo que recibirías.',
    OTHER_SITE: 'Esto inicia sesión en {value}, que no es el sitio que lo solicita.',
    OTHER_CHAIN: 'Esto es para otra red, con el identificador de cadena {value}.',
    BLIND: 'No se puede mostrar lo que esto firma. Podría ser cualquier cosa.',
    ACCOUNT_GIVEN: 'Tu propia cuenta pertenecería al programa {value}. Ya no podrías usarla.',
    TOKEN_ACCOUNT_GIVEN: 'Tu cuenta de token pertenecería a {value}, con todo lo que contiene.',
    CLOSING_GIVEN: '{value} podría cerrar tu cuenta de token y tomar sus SOL.',
    AUTHORITY_LOST: 'Perderías un derecho sobre este token.',
    STAKE_GIVEN: '{value} podría retirar todo lo que contiene esta cuenta tuya.',
    ACCOUNT_CLOSED: 'Tu cuenta de token se cerraría. Sus SOL irían a {value}.',
  },
}
