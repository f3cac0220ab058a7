import type { WarningTexts } from './warningTexts.ts'

/** What the warnings and reasons of a preview say in Spanish. */
export const warnings: WarningTexts = {
  unknownAccount: 'una cuenta desconocida',
  sentences: {
    DRAINS: 'Casi todo lo que tienes de esto iría a {value}, a cambio de nada.',
    HIDDEN_TRANSFER: 'De tu cuenta saldría más de lo que dice la solicitud: iría a {value}.',
    HIDDEN_NEARLY_ALL: 'Casi todo lo que tienes de esto iría a {value}. Compáralo con lo que recibirías.',
    HIDDEN_PART: 'Lo que envías va a {value}. Compáralo con lo que recibes.',
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
    BEHAVES_DIFFERENTLY:
      'Esto se comporta de otra forma cuando se observa. Una vez enviado, puede hacer algo distinto de lo que se muestra.',
    MAY_KEEP: 'Este contrato no se conoce. Puede quedarse con hasta {value}.',
    REVERTS_UNKNOWN: 'Esto fallaría ahora. Su contrato no se conoce y puede hacer otra cosa una vez enviado.',
    SPENDER_PUBLIC:
      'Cualquiera puede dar órdenes a {value}. El primero que llegue podría tomar lo que le permites.',
    UNKNOWN_STATEMENT: 'No se puede entender lo que permite esta firma.',
    TRANSFER_ELSEWHERE: 'Esto mueve lo que tienes en otro servicio. Iría a {value}.',
    OTHER_NETWORK:
      'Esta transacción no es para esta red, o ha caducado. Puede enviarse en otra red, donde no se simuló.',
    NOT_GUARANTEED:
      'Casi todo lo que tienes de esto iría a {value}. La solicitud no garantiza lo que recibirías.',
    TABLE_INCOMPLETE:
      'Una tabla aún no contiene todas las cuentas de esta transacción. Una vez enviada, puede nombrar otras cuentas que las que se muestran.',
    BORROWS: '{value} podría pedir préstamos en tu nombre. La deuda sería tuya.',
    OPERATION_OF_OTHER: 'Esta firma permite a cualquiera enviar llamadas por la cuenta {value}.',
    TOO_MUCH: 'Esto hace más de lo que se puede mostrar.',
  },
  causes: {
    CHAIN_UNAVAILABLE: 'La red no responde',
    UNSUPPORTED: 'Los nodos de la red no pueden simular esto',
    NATIVE_LOW: 'La cuenta tiene muy poco del token nativo',
    FEE_LOW: 'La cuenta que paga la comisión no tiene suficiente para ello',
    TOKEN_LOW: 'La cuenta tiene muy poco del token',
    RENT_LOW: 'A una cuenta le quedaría muy poco para existir',
    EXPIRED: 'Esta transacción ha caducado',
    ALREADY_SENT: 'Esta transacción ya se envió',
    FROZEN: 'La cuenta del token está congelada',
    MALFORMED: 'La transacción está mal formada',
    TOO_LARGE: 'La transacción es demasiado grande para un bloque',
    OTHER_NETWORK: 'La transacción no es para esta red, o ha caducado',
  },
}
