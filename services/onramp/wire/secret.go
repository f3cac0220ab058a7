package wire

import (
	"errors"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/files"
)

// keyFile marks a secret that is in a file of its own.
const keyFile = "file:"

var errKeyFile = errors.New("the file of the key cannot be read")

// Secret is what an operator configured: the text itself, or what is in a file, without white space around it.
func Secret(text string) (string, error) {
	path, isFile := strings.CutPrefix(text, keyFile)
	if !isFile {
		return strings.TrimSpace(text), nil
	}
	raw, err := files.ReadSecret(path)
	if err != nil {
		return "", errKeyFile
	}
	return strings.TrimSpace(string(raw)), nil
}
