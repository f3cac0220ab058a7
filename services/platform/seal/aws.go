package seal

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// awsKey is a symmetric key of AWS KMS.
type awsKey struct {
	*remote

	base, arn, region string
	now               func() time.Time
}

// OpenAWS returns the KEK of a key by its ARN. Credentials are those of the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
// AWS_SESSION_TOKEN, or the endpoint AWS_CONTAINER_CREDENTIALS_FULL_URI of ECS and EKS Pod Identity. An empty address is that of AWS.
func OpenAWS(address, arn string) (KEK, error) { return newAWS(address, arn, time.Now) }

func newAWS(address, arn string, now func() time.Time) (*awsKey, error) {
	parts := strings.Split(arn, ":")
	if len(parts) < 6 || parts[0] != "arn" || parts[2] != "kms" || parts[3] == "" {
		return nil, fmt.Errorf("%q is not the ARN of a key of KMS", arn)
	}
	if address == "" {
		address = "https://kms." + parts[3] + ".amazonaws.com"
	}
	return &awsKey{newRemote(), strings.TrimSuffix(address, "/"), arn, parts[3], now}, nil
}

// ID returns the ARN of the key.
func (k *awsKey) ID() string { return "aws:" + k.arn }

// encryptionContext returns the associated data as KMS takes it. The logs of AWS show it, so it is a hash.
func encryptionContext(aad []byte) map[string]string {
	sum := sha256.Sum256(aad)
	return map[string]string{"hawser": hex.EncodeToString(sum[:])}
}

// Wrap encrypts the key with KMS.
func (k *awsKey) Wrap(ctx context.Context, dek, aad []byte) ([]byte, error) {
	request := struct {
		KeyID             string            `json:"KeyId"`
		Plaintext         []byte            `json:"Plaintext"`
		EncryptionContext map[string]string `json:"EncryptionContext"`
	}{k.arn, dek, encryptionContext(aad)}
	var answer struct {
		CiphertextBlob []byte `json:"CiphertextBlob"`
	}
	err := k.post(ctx, k.base+"/", request, &answer, k.signer(ctx, "TrentService.Encrypt"))
	return answer.CiphertextBlob, err
}

// Unwrap decrypts the key with KMS.
func (k *awsKey) Unwrap(ctx context.Context, wrapped, aad []byte) ([]byte, error) {
	request := struct {
		KeyID             string            `json:"KeyId"`
		CiphertextBlob    []byte            `json:"CiphertextBlob"`
		EncryptionContext map[string]string `json:"EncryptionContext"`
	}{k.arn, wrapped, encryptionContext(aad)}
	var answer struct {
		Plaintext []byte `json:"Plaintext"`
	}
	err := k.post(ctx, k.base+"/", request, &answer, k.signer(ctx, "TrentService.Decrypt"))
	return answer.Plaintext, err
}

// credentials are those of AWS.
type credentials struct{ AccessKeyID, SecretAccessKey, Token string }

// credentials returns those of the environment.
func (k *awsKey) credentials(ctx context.Context) (c credentials, err error) {
	c = credentials{os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY"), os.Getenv("AWS_SESSION_TOKEN")}
	endpoint := os.Getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI")
	if c.AccessKeyID != "" || endpoint == "" {
		if c.AccessKeyID == "" || c.SecretAccessKey == "" {
			return c, errors.New("there are no credentials of AWS in the environment")
		}
		return c, nil
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint, nil)
	if err != nil {
		return c, errors.New("AWS_CONTAINER_CREDENTIALS_FULL_URI is not a URL")
	}
	token := os.Getenv("AWS_CONTAINER_AUTHORIZATION_TOKEN")
	if file := os.Getenv("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"); file != "" {
		raw, err := os.ReadFile(file)
		if err != nil {
			return c, err
		}
		token = strings.TrimSpace(string(raw))
	}
	req.Header.Set("Authorization", token)
	res, err := k.http.Do(req)
	if err != nil {
		return c, errors.New("the endpoint of the container's credentials does not answer")
	}
	defer res.Body.Close()
	var answer struct {
		AccessKeyID     string `json:"AccessKeyId"`
		SecretAccessKey string `json:"SecretAccessKey"`
		Token           string `json:"Token"`
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, maxAnswer)).Decode(&answer); err != nil || res.StatusCode != http.StatusOK {
		return c, errors.New("the endpoint of the container's credentials does not answer")
	}
	return credentials(answer), nil
}

// signer returns a function that signs a request by Signature Version 4.
func (k *awsKey) signer(ctx context.Context, target string) func(req *http.Request, body []byte) error {
	return func(req *http.Request, body []byte) error {
		c, err := k.credentials(ctx)
		if err != nil {
			return err
		}
		at := k.now().UTC()
		req.Header.Set("Content-Type", "application/x-amz-json-1.1")
		req.Header.Set("X-Amz-Target", target)
		req.Header.Set("X-Amz-Date", at.Format("20060102T150405Z"))
		names := []string{"content-type", "host", "x-amz-date", "x-amz-target"}
		if c.Token != "" {
			req.Header.Set("X-Amz-Security-Token", c.Token)
			names = []string{"content-type", "host", "x-amz-date", "x-amz-security-token", "x-amz-target"}
		}
		req.Header.Set("Authorization", signV4(req, body, c, k.region, "kms", names, at))
		return nil
	}
}

// signV4 returns the header Authorization of a request whose query is empty; names are its signed headers, sorted.
func signV4(req *http.Request, body []byte, c credentials, region, service string, names []string, at time.Time) string {
	var headers strings.Builder
	for _, name := range names {
		value := req.Header.Get(name)
		if name == "host" {
			value = req.URL.Host
		}
		headers.WriteString(name + ":" + strings.TrimSpace(value) + "\n")
	}
	signed := strings.Join(names, ";")
	canonical := strings.Join([]string{req.Method, req.URL.EscapedPath(), "", headers.String(), signed, hexSum(body)}, "\n")
	day := at.Format("20060102")
	scope := strings.Join([]string{day, region, service, "aws4_request"}, "/")
	text := strings.Join([]string{"AWS4-HMAC-SHA256", at.Format("20060102T150405Z"), scope, hexSum([]byte(canonical))}, "\n")
	key := []byte("AWS4" + c.SecretAccessKey)
	for _, part := range []string{day, region, service, "aws4_request"} {
		key = hmacSum(key, part)
	}
	return "AWS4-HMAC-SHA256 Credential=" + c.AccessKeyID + "/" + scope + ", SignedHeaders=" + signed + ", Signature=" + hex.EncodeToString(hmacSum(key, text))
}

func hexSum(of []byte) string {
	sum := sha256.Sum256(of)
	return hex.EncodeToString(sum[:])
}

func hmacSum(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = h.Write([]byte(text))
	return h.Sum(nil)
}
