//go:build !cgo

package mrtr

import (
	"encoding/json"
	"time"
)

func nativeVersion() (Version, error)                                      { return Version{}, ErrNoCgo }
func nativeHasFeature(name string) bool                                    { return false }
func nativeLiveObjects() uint64                                            { return 0 }
func nativeMonotonicMS() uint64                                            { return 0 }
func nativeJSONMember(object []byte, name string) (json.RawMessage, error) { return nil, ErrNoCgo }
func nativeClientNew(c *ClientOptions, needs Needs) (uint64, error)        { return 0, ErrNoCgo }
func nativeClientCapabilities(id uint64) (json.RawMessage, error)          { return nil, ErrNoCgo }
func nativeClientFree(id uint64)                                           {}
func nativeFlowBegin(id uint64, method string, params []byte, options *ClientOptions, needs Needs, now uint64) (uint64, error) {
	return 0, ErrNoCgo
}
func nativeFlowResume(id uint64, saved string, now uint64) (uint64, error) { return 0, ErrNoCgo }
func nativeFlowLeg(id uint64, how int, leg uint32, text []byte, value float64, now uint64) error {
	return ErrNoCgo
}
func nativeFlowAct(id uint64, what int, key string, value []byte, now uint64) error { return ErrNoCgo }
func nativeFlowCancel(id uint64, now uint64) error                                  { return ErrNoCgo }
func nativeFlowSave(id uint64) (string, error)                                      { return "", ErrNoCgo }
func nativeFlowOpenAsk(id uint64, at int) (Event, error)                            { return nil, ErrNoCgo }
func nativeOlderCapabilities(id uint64, version string) (json.RawMessage, error) {
	return nil, ErrNoCgo
}
func nativeOlderRequest(id uint64, message []byte, version string, now uint64) (uint64, error) {
	return 0, ErrNoCgo
}
func nativeOlderComplete(id uint64, elicitationID *string, now uint64) error { return ErrNoCgo }
func nativeTraceWrite(id uint64, form uint32) (string, error)                { return "", ErrNoCgo }
func nativeFlowFree(id uint64)                                               {}
func nativeFlowNext(id uint64, now uint64) (Event, error)                    { return nil, ErrNoCgo }
func nativeWireHeaders(method string, params, tool []byte) (string, error)   { return "", ErrNoCgo }
func nativeWireCheckTool(tool []byte) error                                  { return ErrNoCgo }
func nativeWireRetryVersion(rpc []byte, spoken []string) (string, error)     { return "", ErrNoCgo }
func nativeSealerNew(c *sealerConfig) (uint64, error)                        { return 0, ErrNoCgo }
func nativeSealerSetKeys(id uint64, keys [][]byte) error                     { return ErrNoCgo }
func nativeSealerSeal(id uint64, r *Request, state []byte, previous string, now uint64) (string, error) {
	return "", ErrNoCgo
}
func nativeSealerOpen(id uint64, r *Request, token string, now uint64) (*Opened, error) {
	return nil, ErrNoCgo
}
func nativeSealerFree(id uint64) {}
func nativeResultBuild(r *ResultOptions) (json.RawMessage, []string, error) {
	return nil, nil, ErrNoCgo
}
func nativeRequestCheck(c *RequestCheck) error                              { return ErrNoCgo }
func nativeServerNew(s *ServerOptions) (uint64, error)                      { return 0, ErrNoCgo }
func nativeServerFree(id uint64)                                            {}
func nativeExchangeBegin(id uint64, r *Request, now uint64) (uint64, error) { return 0, ErrNoCgo }
func nativeExchangeAsk(id uint64, how int, key, message string, body []byte) (Answer, error) {
	return Answer{}, ErrNoCgo
}
func nativeExchangeCanAsk(id uint64, needs Needs) (bool, error) { return false, ErrNoCgo }
func nativeExchangeRequire(id uint64) error                     { return ErrNoCgo }
func nativeExchangePending(id uint64) int                       { return 0 }
func nativeExchangeState(id uint64) ([]byte, error)             { return nil, ErrNoCgo }
func nativeExchangeSetState(id uint64, state []byte) error      { return ErrNoCgo }
func nativeExchangeInfo(id uint64) (ExchangeInfo, error)        { return ExchangeInfo{}, ErrNoCgo }
func nativeExchangeResult(id uint64) (json.RawMessage, error)   { return nil, ErrNoCgo }
func nativeExchangeFree(id uint64)                              {}
func nativeExchangeForget(id uint64, key string) error          { return ErrNoCgo }
func nativeFormSchema(fields []Field) (json.RawMessage, error)  { return nil, ErrNoCgo }
func nativeRuntimeNew() (id, queue uint64, err error)           { return 0, 0, ErrNoCgo }
func nativeRuntimeStart(id, flowID uint64) error                { return ErrNoCgo }
func nativeRuntimeClose(id uint64) error                        { return ErrNoCgo }
func nativeRuntimeFree(id, queue uint64)                        {}
func nativeQueueNext(queue uint64, wait time.Duration) (uint64, Event, error) {
	return 0, nil, ErrNoCgo
}
func nativeQueueWake(queue uint64) error                                      { return ErrNoCgo }
func nativePeerCanAsk(peer *Peer, method string, needs Needs) (CanAsk, error) { return 0, ErrNoCgo }
func nativeResultComplete(result []byte) (json.RawMessage, error)             { return nil, ErrNoCgo }
func nativeDiscoveryResult(d *Discovery) (json.RawMessage, error)             { return nil, ErrNoCgo }
func nativeLegacyBegin(id uint64, r *Request, peer *Peer) (uint64, error)     { return 0, ErrNoCgo }
func nativeLegacyNext(id uint64, now uint64) (LegacyStep, error)              { return LegacyStep{}, ErrNoCgo }
func nativeLegacyExchange(id uint64, now uint64) (uint64, error)              { return 0, ErrNoCgo }
func nativeLegacyText(id uint64, how int, ask uint32, text []byte, now uint64) error {
	return ErrNoCgo
}
func nativeLegacyFree(id uint64)                                       {}
func nativeSealerCounters(id uint64) (Counters, error)                 { return Counters{}, ErrNoCgo }
func nativeGatewayMake(key bool, backend, text string) ([]byte, error) { return nil, ErrNoCgo }
func nativeGatewayPass(what int, backend string, text, extra []byte) ([]byte, error) {
	return nil, ErrNoCgo
}
func nativeGatewayParts(key bool, data []byte) (first, second string, ok bool) { return "", "", false }
