import type { WarningTexts } from './warningTexts.ts'

/** What the warnings of a preview say in Korean. */
export const warnings: WarningTexts = {
  unknownAccount: '알 수 없는 계정',
  sentences: {
    DRAINS: '보유한 것의 거의 전부가 대가 없이 {value}(으)로 갑니다.',
    HIDDEN_TRANSFER: '요청에 적힌 것보다 많은 자산이 계정에서 나갑니다. 받는 곳: {value}.',
    HIDDEN_NEARLY_ALL: '보유한 것의 거의 전부가 {value}(으)로 갑니다. 받게 될 것과 비교하세요.',
    HIDDEN_PART: '요청에 적히지 않은 {value}(으)로 갑니다. 받게 될 것과 비교하세요.',
    UNLIMITED_APPROVAL: '{value}이(가) 보유한 이 토큰 전부를 언제든지 가져갈 수 있게 됩니다.',
    APPROVAL_FOR_ALL: '{value}이(가) 이 컬렉션의 모든 토큰을 언제든지 가져갈 수 있게 됩니다.',
    SIGNED_APPROVAL:
      '이 서명만으로 {value}이(가) 토큰을 가져갈 수 있습니다. 회원님의 트랜잭션은 필요하지 않습니다.',
    SPENDER_PERSON: '{value}은(는) 컨트랙트가 아니라 개인의 계정입니다.',
    SPENDER_PERSON_NOT_PROGRAM: '{value}은(는) 프로그램이 아니라 개인의 계정입니다.',
    CODE_REPLACED: '이 컨트랙트의 코드가 {value}의 코드로 바뀝니다.',
    CONTRACT_GIVEN: '이 컨트랙트의 소유자가 {value}이(가) 됩니다.',
    UNKNOWN_CODE: '계정이 알 수 없는 코드를 실행합니다. 보유한 모든 것을 가져갈 수 있습니다.',
    IMITATION: '이 토큰은 다른 토큰을 모방하거나 사이트를 광고합니다. 가치가 없을 수 있습니다.',
    REVERTS: '실패하며 수수료가 듭니다.',
    NOT_SIMULATED: '시뮬레이션할 수 없었습니다. 표시된 것보다 많은 일을 할 수 있습니다.',
    UNKNOWN_FUNCTION: '무엇을 호출하는지 알 수 없습니다.',
    UNKNOWN_PROGRAM: '알 수 없는 프로그램을 실행합니다. 전송된 뒤에 다른 일을 할 수 있습니다.',
    DELEGATION: '{value}이(가) 회원님의 계정을 대신할 수 있게 됩니다.',
    OPERATION: '이 서명이 있으면 누구나 회원님의 계정으로 이 호출을 보낼 수 있습니다.',
    DURABLE_NONCE:
      '이 서명은 만료되지 않습니다. 나중에 언제든지 전송될 수 있으며, 그때는 표시된 것보다 많은 일을 할 수 있습니다.',
    ORDER: '보유한 자산을 판매하겠다고 내놓습니다. 받게 될 것을 확인하세요.',
    OTHER_SITE: '{value}에 로그인합니다. 요청한 사이트가 아닙니다.',
    OTHER_CHAIN: '다른 네트워크(체인 ID {value})를 위한 것입니다.',
    BLIND: '무엇에 서명하는지 표시할 수 없습니다. 무엇이든 될 수 있습니다.',
    ACCOUNT_GIVEN: '계정 자체가 {value} 프로그램의 소유가 됩니다. 더 이상 사용할 수 없게 됩니다.',
    TOKEN_ACCOUNT_GIVEN: '토큰 계정이 그 안의 모든 것과 함께 {value}의 소유가 됩니다.',
    CLOSING_GIVEN: '{value}이(가) 회원님의 토큰 계정을 닫고 그 SOL을 가져갈 수 있게 됩니다.',
    AUTHORITY_LOST: '이 토큰에 대한 권한을 잃게 됩니다.',
    STAKE_GIVEN: '{value}이(가) 회원님의 이 계정에 있는 모든 것을 인출할 수 있게 됩니다.',
    ACCOUNT_CLOSED: '토큰 계정이 닫힙니다. 그 SOL은 {value}(으)로 갑니다.',
  },
}
