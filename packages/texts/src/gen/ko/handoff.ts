// Generated from packages/texts/languages by make generate. Do not edit.

import type { HandoffTexts } from '../types.ts'

/** The texts of the wallet page in Korean. */
export const texts: HandoffTexts = {
  title: '지갑 연결',
  site: '사이트',
  loading: '불러오는 중…',
  tryAgain: '다시 시도',
  finding: { title: '지갑을 찾는 중' },
  noWallet: { title: '여기에 지갑이 없습니다', text: '이 브라우저에는 지갑이 없습니다. 지갑 앱의 브라우저에서 이 링크를 여세요.', copy: '링크 복사', copied: '링크를 복사했습니다', notCopied: '여기에서 링크를 복사하세요:' },
  choosing: { title: '어떤 지갑을 사용하시겠습니까?' },
  taken: { title: '다른 곳에서 먼저 열렸습니다', text: '다른 기기가 이 링크를 먼저 열었습니다. 본인이 아니라면 다른 화면에서 아무것도 확인하지 마세요. 사이트에서 새 코드를 받으세요.' },
  expired: { title: '이 링크는 만료되었습니다', text: '사이트에서 새 코드를 받아 스캔하세요.' },
  unreached: { title: '연결하지 못했습니다', text: '연결을 확인하고 다시 시도하세요.' },
  comparing: { title: '숫자를 비교하세요', asks: (site) => `${site}에서 지갑에 연결하려고 합니다.`, number: '내 숫자', question: '다른 화면에 같은 숫자가 보이나요?', confirm: '네, 같습니다', differ: '아니요, 다릅니다', waiting: '다른 화면을 기다리는 중…' },
  waiting: { title: '다른 화면에서 확인하세요', text: '그다음 지갑에서 공유할 계정을 묻습니다.' },
  asking: { title: '지갑에서 계속하세요', text: (site) => `${site}에 공유할 계정을 지갑에서 묻고 있습니다.` },
  declined: { title: '연결되지 않음', differ: '숫자가 다릅니다. 다른 사람이 링크를 열었을 수 있습니다. 공유된 정보는 없습니다. 사이트에서 새 코드를 받으세요.', text: '사이트에 공유된 정보가 없습니다.', unsupported: '사이트에서 사용하는 네트워크가 지갑에 없습니다.' },
  connected: { title: '연결됨', keepOpen: '사이트를 사용하는 동안 이 페이지를 열어 두세요.', account: '계정', network: '네트워크', wallet: '지갑', disconnect: '연결 해제', disconnectFrom: (site) => `${site} 연결 해제`, notStored: '이 브라우저는 아무것도 저장하지 않습니다. 이 페이지를 닫으면 연결이 끝납니다.', lost: '연결이 끊겼습니다. 다시 연결하는 중…', resumed: '다시 연결되었습니다', others: '다른 사이트' },
  ended: { title: '연결이 해제되었습니다', text: '다시 연결하려면 사이트에서 새 코드를 받으세요.' },
  request: { kind: { message: '메시지 서명', data: '데이터 서명', send: '트랜잭션 보내기', transaction: '트랜잭션 서명', permission: '권한 부여', other: '요청' }, asks: (site) => `${site}에서 요청합니다.`, give: '지갑에서 계속', reject: '거부', given: '지갑에서 확인하세요', more: (count) => `요청 ${count}개가 더 기다리고 있습니다`, done: '완료되었습니다. 사이트에서 계속할 수 있습니다.', refused: '거부했습니다. 서명된 것이 없습니다.', failed: '지갑에서 실행하지 못했습니다.', lost: '지갑에 묻는 동안 페이지가 다시 로드되었습니다. 실행되었는지 지갑에서 확인하세요.' },
  preview: { checking: '어떤 일이 일어날지 확인하는 중…', unchecked: '확인할 수 없었습니다. 표시된 것보다 많은 일을 할 수 있습니다.', fails: '실패할 것입니다.', leaves: '보내는 자산', arrives: '받는 자산', mayTake: '사용할 수 있음', mayNoLongerTake: '더 이상 사용할 수 없음', all: (token) => `모든 ${token}`, tokens: '토큰', baseUnits: '기본 단위', to: '받는 주소', amount: '금액', message: '메시지', details: '세부 정보', deploys: '컨트랙트 생성' },
}
