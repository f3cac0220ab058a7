package pools

import (
	"testing"

	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

func TestMain(m *testing.M) { devnettest.VerifyNoLeaks(m) }
