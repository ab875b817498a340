package wire

import (
	"fmt"
	"reflect"

	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/net/bits"
)

// TablesBlob returns the tables of a match for Welcome.Tables: every field in
// order.
func TablesBlob(s *tables.Set) []byte {
	buf := make([]byte, MaxTables)
	var w bits.Writer
	w.Reset(buf)
	putTable(&w, reflect.ValueOf(s).Elem())
	if w.Overflowed() {
		return nil
	}
	return w.Bytes()
}

// ParseTables reads what TablesBlob wrote, and refuses what does not validate.
func ParseTables(b []byte) (*tables.Set, error) {
	var r bits.Reader
	r.Reset(b)
	s := new(tables.Set)
	getTable(&r, reflect.ValueOf(s).Elem())
	if r.Align(); r.Remaining() > 0 {
		r.Fail(ErrMessage)
	}
	if err := r.Err(); err != nil {
		return nil, fmt.Errorf("tables: %w", err)
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return s, nil
}

func putTable(w *bits.Writer, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			putTable(w, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			putTable(w, v.Index(i))
		}
	case reflect.Float32:
		w.F32(float32(v.Float()))
	case reflect.Int:
		w.Bits(uint64(v.Int()), 32)
	case reflect.Uint16:
		w.Bits(v.Uint(), 16)
	case reflect.Bool:
		w.Bool(v.Bool())
	case reflect.String:
		w.String(Clean(v.String(), MaxLabel), MaxLabel)
	default:
		panic("wire: a table has a field of kind " + v.Kind().String())
	}
}

func getTable(r *bits.Reader, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			getTable(r, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			getTable(r, v.Index(i))
		}
	case reflect.Float32:
		v.SetFloat(float64(r.F32()))
	case reflect.Int:
		v.SetInt(int64(int32(r.Bits(32))))
	case reflect.Uint16:
		v.SetUint(r.Bits(16))
	case reflect.Bool:
		v.SetBool(r.Bool())
	case reflect.String:
		v.SetString(Clean(r.String(MaxLabel), MaxLabel))
	}
}
